import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Command } from 'commander';

/** In the package and in a checkout; the image has no dev/. */
const LOCAL_STACK = join(__dirname, '..', '..', 'dev', 'start.js');

/** `everpost start`: the program of `npm start`, where it is installed. It runs in this process until it is stopped. */
export function addStartCommand(cli: Command): void {
  if (!existsSync(LOCAL_STACK)) return;
  cli
    .command('start')
    .description('run the complete product on this machine, MongoDB and Temporal included')
    .action(() => void createRequire(__filename)(LOCAL_STACK));
}

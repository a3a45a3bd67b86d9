#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ListenError } from '../../src/cli/event-stream';
import { printable } from '../../src/domain/plain-text';
import { listenCommand } from '../../src/cli/listen-commands';

/** As built: dist/packages/listen/everpost-listen.js. */
const PACKAGE = join(__dirname, '..', '..', '..', 'package.json');

async function main(): Promise<void> {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string };
  await listenCommand('everpost-listen', 'http://127.0.0.1:8080', (text) =>
    process.stdout.write(`${printable(text)}\n`),
  )
    .version(version)
    .showHelpAfterError()
    .parseAsync();
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof ListenError ? error.message : String((error as Error).stack)}\n`);
  process.exitCode = 1;
});

import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** How the user calls the local stack and the command line: by npm in a checkout, by npx where the package is installed. */
export const COMMANDS = existsSync(join(__dirname, '..', '..', 'src', 'cli.ts'))
  ? { start: 'npm start', cli: 'npm run --silent cli --' }
  : { start: 'npx everpost start', cli: 'npx everpost' };

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The version of the product, such as `1.2.3`: that of the nearest `package.json` above the code. */
export function productVersion(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}

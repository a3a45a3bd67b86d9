import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The version of the product, such as `1.2.3`: that of the nearest `package.json` above the code.
 *
 * @param above the folder where the search begins
 * @throws Error if there is none
 */
export function productVersion(above = __dirname): string {
  let folder = above;
  while (!existsSync(join(folder, 'package.json'))) {
    if (folder === dirname(folder))
      throw new Error(`There is no package.json above ${above}. Keep it beside the build.`);
    folder = dirname(folder);
  }
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}

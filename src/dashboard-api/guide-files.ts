import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The name by which metrics count the guides. */
export const GUIDES = '/guides/*';

/** Finds the guides in the folder of the web page: names of their files, without the compressed ones beside them. */
export function findGuides(webFolder: string): ReadonlySet<string> {
  const folder = join(webFolder, 'guides');
  if (!existsSync(folder)) return new Set();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  return new Set(names.filter((name) => /\.(html|json|png)$/.test(name)));
}

/**
 * @param path of a request
 * @returns the guide's file: `/guides` is `index.html`, and `/guides/keys` is `keys.html`; undefined if there is none
 */
export function guideFileOf(guides: ReadonlySet<string>, path: string): string | undefined {
  const found = /^\/guides(?:\/(.*?))?\/?$/.exec(path);
  if (!found) return undefined;
  const name = found[1] || 'index';
  // One address for each page.
  if (name.endsWith('.html')) return undefined;
  return [`${name}.html`, name].find((file) => guides.has(file));
}

// What the generator doesn't check: anchors, files, and that a page asks no other host for anything.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const decode = (text) => decodeURIComponent(text.replaceAll('&amp;', '&'));

/** @returns a line for each problem of the built site */
export function problemsOf(site) {
  const files = readdirSync(site, { recursive: true, encoding: 'utf8' });
  const pages = files.filter((name) => name.endsWith('.html'));
  const html = new Map(pages.map((page) => [page, readFileSync(join(site, page), 'utf8')]));
  const idsOf = (page) => new Set([...html.get(page).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const problems = [];
  for (const [page, text] of html) {
    for (const [tag] of text.matchAll(/<(?:script|link|img|source|iframe)\b[^>]*>/g)) {
      if (/ (?:src|href)="(?:https?:)?\/\//.test(tag)) problems.push(`${page} asks another host: ${tag}`);
    }
    for (const [, href] of text.matchAll(/<a\b[^>]* href="([^"]+)"/g)) {
      if (/^[a-z]+:/.test(href)) continue;
      const [path, anchor] = decode(href).split('#');
      const place = path === '' ? page : path.startsWith('/') ? path.slice(1) : join(dirname(page), path);
      const found = [place, `${place}.html`, join(place, 'index.html')].find(
        (name) => existsSync(join(site, name)) && statSync(join(site, name)).isFile(),
      );
      if (!found) problems.push(`${page} links to ${href}, which is not there`);
      else if (anchor && html.has(found) && !idsOf(found).has(anchor)) problems.push(`${page}: no anchor ${href}`);
    }
  }
  for (const name of files.filter((it) => it.endsWith('.css') || it.startsWith('diagrams/'))) {
    const file = join(site, name);
    if (statSync(file).isFile() && /url\(["']?(?:https?:)?\/\//.test(readFileSync(file, 'utf8'))) {
      problems.push(`${name} asks another host`);
    }
  }
  return [...new Set(problems)];
}

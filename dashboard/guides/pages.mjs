// Which pages of the repository are guides of the installation, and where each is.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');

/** Guides outside docs/, and the last part of their address. */
const OTHERS = {
  'docs/receivers/README.md': 'receivers',
  'client/README.md': 'typescript-client',
  'packages/listen/README.md': 'listen-package',
  'packages/python/README.md': 'python-client',
  'examples/platform/README.md': 'platform-example',
  'SECURITY.md': 'security',
};

/** Pages for people who change Everpost. */
const NOT_FOR_USERS = ['docs/architecture.md'];

/** Folders whose files a guide may show. */
const SHOWN_FOLDERS = ['docs/receivers/', 'docs/clients/', 'docs/vectors/', 'examples/'];

/** @returns every guide's file, with the last part of its address */
export function listGuides() {
  const docs = readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md') && !NOT_FOR_USERS.includes(`docs/${name}`))
    .map((name) => [`docs/${name}`, name.replace('.md', '')]);
  return new Map([...docs, ...Object.entries(OTHERS)]);
}

/** Whether a guide may lead to a file that is no guide: it becomes a page of its own. */
export function isShownFile(path) {
  return SHOWN_FOLDERS.some((folder) => path.startsWith(folder)) && /\.\w+$/.test(path);
}

/** @returns the groups of the README's list of documents, with the guides in them */
export function listGroups(guides) {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const list = readme.slice(readme.indexOf('## Documentation'));
  const groups = [...list.matchAll(/^- \*\*(\w+)\*\*: ([\s\S]*?)(?=\n- |\n*$(?![\s\S]))/gm)].map(([, name, links]) => ({
    name,
    guides: [...links.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)]
      .filter(([, , path]) => guides.has(path))
      .map(([, title, path]) => ({ path, slug: guides.get(path), title: title[0].toUpperCase() + title.slice(1) })),
  }));
  return groups.filter((group) => group.guides.length > 0);
}

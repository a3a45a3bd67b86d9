import { defineConfig } from 'vitepress';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The groups of the front page's list of documents are those of the sidebar. */
function sidebar() {
  const readme = readFileSync(join(import.meta.dirname, '..', '.pages', 'index.md'), 'utf8');
  const list = readme.slice(readme.indexOf('## Documentation'));
  return [...list.matchAll(/^- \*\*(\w+)\*\*: ([\s\S]*?)(?=\n- |\n*$(?![\s\S]))/gm)].map(([, text, links]) => ({
    text,
    items: [...links.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, name, link]) => ({
      text: name[0].toUpperCase() + name.slice(1),
      ...(link.endsWith('.md') ? { link: `/${link.replace(/index\.md$/, '')}` } : { link, target: '_self' }),
    })),
  }));
}

/** What GitHub makes of a heading, so that one link works in both places. */
const slugify = (heading) =>
  heading
    .toLowerCase()
    .replace(/[`*]/g, '')
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

export default defineConfig({
  title: 'Everpost',
  description: 'Self-hosted, durable webhook delivery',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' }]],
  srcDir: '.pages',
  outDir: 'dist',
  markdown: { anchor: { slugify } },
  themeConfig: {
    nav: [{ text: 'API reference', link: '/api/index.html', target: '_self' }],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local' },
  },
});

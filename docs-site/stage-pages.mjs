// Lays out the pages of the site as they are in the repository, so that their links to each other need no change.

import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { renderMermaidSVG } from 'beautiful-mermaid';

const ROOT = join(import.meta.dirname, '..');

/** Pages outside docs/ that its pages lead to. */
const OTHERS = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'client/README.md',
  'packages/listen/README.md',
  'packages/python/README.md',
  'dashboard/README.md',
  'deploy/helm/everpost/README.md',
  'examples/platform/README.md',
  'src/engine/README.md',
  'test/chaos/README.md',
  'test/cluster/README.md',
];

const COLOURS = {
  light: { bg: '#ffffff', fg: '#27272a' },
  dark: { bg: '#1b1b1f', fg: '#dfdfd6' },
};

function write(folder, path, content) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

/** A picture of a diagram in each appearance, instead of its source. From top to bottom, because the page is narrow. */
function drawDiagrams(page, text, folder) {
  let count = 0;
  return text.replace(/^```mermaid\n([\s\S]*?)^```$/gm, (_, source) => {
    count += 1;
    const narrow = source.replace(/^flowchart LR$/m, 'flowchart TB');
    return Object.entries(COLOURS)
      .map(([appearance, colours]) => {
        const file = `diagrams/${page.replace(/\W+/g, '-')}-${count}-${appearance}.svg`;
        // The font would come from another host.
        const svg = renderMermaidSVG(narrow, { ...colours, padding: 8 }).replace(/@import url\([^)]*\);/g, '');
        write(join(folder, 'public'), file, svg);
        return `![Diagram; the text describes it](/${file}){.diagram-${appearance}}`;
      })
      .join('\n');
  });
}

/** Runs a change on what is outside of code blocks. */
const outsideCode = (text, change) =>
  text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : change(part)))
    .join('');

/**
 * Copies the pages into a folder. A link to a file that is no page leads to a copy of the file.
 *
 * @throws Error naming a link without a target
 */
export function stagePages(folder) {
  rmSync(folder, { recursive: true, force: true });
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`);
  const pages = [...docs.filter((name) => name.endsWith('.md')), ...OTHERS];
  const isPicture = (path) => /\.(jpg|png|svg)$/.test(path);
  for (const path of docs.filter(isPicture)) cpSync(join(ROOT, path), join(folder, path), { recursive: true });

  const resolveLink = (page, link) => {
    const [path, anchor] = link.split('#');
    if (/^[a-z]+:/.test(link) || path === '' || isPicture(path)) return link;
    const target = normalize(join(dirname(page), path));
    if (pages.includes(target)) return link.replace('README.md', 'index.md');
    const source = join(ROOT, target);
    if (!existsSync(source)) throw new Error(`${page} links to ${link}, which is not there`);
    if (statSync(source).isDirectory()) return undefined;
    cpSync(source, join(folder, 'public', 'files', target), { recursive: true });
    return `/files/${target}${anchor ? `#${anchor}` : ''}`;
  };
  for (const page of pages) {
    const text = outsideCode(drawDiagrams(page, readFileSync(join(ROOT, page), 'utf8'), folder), (part) =>
      part.replace(/\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (whole, name, link) => {
        if (link.startsWith('/diagrams/')) return whole;
        const target = resolveLink(page, link);
        if (target === undefined) return name;
        return target.startsWith('/files/') ? `[${name}](${target}){target="_self"}` : `[${name}](${target})`;
      }),
    );
    write(folder, page.replace('README.md', 'index.md'), text);
  }
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const ROOT = join(__dirname, '..', '..');

const pages = [
  ...readdirSync(ROOT),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md'));

/** What GitHub makes of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[`*]/g, '')
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

function anchorsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map((match) => anchorOf(match[1]!));
  return [...headings, ...[...text.matchAll(/<a id="(\w+)"><\/a>/g)].map((match) => match[1]!)];
}

/** Every file of the repository that is code, by its path. */
const sources = ['src', 'activities', 'workflows', 'test', 'bench'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name)),
);

it('a comment that cites a section of docs/spec.md cites an existing one', () => {
  const titles = [...readFileSync(join(ROOT, 'docs', 'spec.md'), 'utf8').matchAll(/^## (.+)$/gm)].map(
    ([, title]) => title,
  );
  const cited = sources.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/docs\/spec\.md(?:, | \()"([^"]+)"/g)].map(
      ([, title]) => title,
    ),
  );
  expect(cited.length).toBeGreaterThan(10);
  expect(cited.filter((title) => !titles.includes(title))).toEqual([]);
});

describe('the links of the documentation', () => {
  it.each(pages)('of %s have a target', (page) => {
    const text = readFileSync(join(ROOT, page), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]!);
    const lost = links.filter((link) => {
      if (/^[a-z]+:/.test(link)) return false;
      const [path, anchor] = link.split('#');
      const file = path === '' ? join(ROOT, page) : resolve(dirname(join(ROOT, page)), path!);
      return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
    });
    expect(lost).toEqual([]);
  });
});

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const text = readFileSync(join(ROOT, 'docs', 'comparison.md'), 'utf8');

/** Rows of the tables, without their heads: the feature, and our cell. */
const rows = [...text.matchAll(/^\| ([^|]+) \| ([^|]+) \|.*$/gm)]
  .map(([line, feature, ours]) => ({
    line,
    feature: feature!.trim(),
    ours: ours!.trim(),
    others: line.split(' | ').slice(2),
  }))
  .filter(({ feature }) => feature !== 'Feature' && !feature.startsWith('-'));

/** Where the page's reference links lead. */
const sources = new Map([...text.matchAll(/^\[([a-z:]+)\]: (\S+)$/gm)].map(([, name, url]) => [name!, url!]));

describe('docs/comparison.md', () => {
  it.each(rows)('$feature: our cell links to a test, or says no', ({ ours }) => {
    const proofs = [...ours.matchAll(/\]\(\.\.\/(test\/[^)]+)\)/g)].map((match) => match[1]!);
    if (proofs.length === 0) expect(ours).toMatch(/^no\b/);
    expect(proofs.filter((path) => !existsSync(resolve(ROOT, path)))).toEqual([]);
    // A folder of helpers proves nothing.
    for (const path of proofs) expect(path).toMatch(/\.(test|spec)\.ts$|^test\/chaos\/README\.md$/);
  });

  it.each(rows)('$feature: each other cell says no, or cites a dated source', ({ others }) => {
    for (const cell of others) expect(cell).toMatch(/^none?\b|^no\b|\]\[[a-z:]+\]|\]\(https:/);
  });

  it('links only to files at a fixed commit, and uses every link', () => {
    const linked = new Set([...text.matchAll(/\]\[([a-z:]+)\]/g)].map((match) => match[1]!));
    expect([...linked].sort()).toEqual([...sources.keys()].sort());
    const pinned = /^https:\/\/github\.com\/[^/]+\/[^/]+\/(blob|tree)\/[0-9a-f]{8,9}\//;
    expect([...sources.values()].filter((url) => !pinned.test(url))).toEqual([]);
  });
});

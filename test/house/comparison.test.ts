import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const text = readFileSync(join(ROOT, 'docs', 'comparison.md'), 'utf8');

/** Rows of the tables, without their heads: the feature, and our cell. */
const rows = [...text.matchAll(/^\| ([^|]+) \| ([^|]+) \|.*$/gm)]
  .map(([line, feature, ours]) => ({ line, feature: feature!.trim(), ours: ours!.trim() }))
  .filter(({ feature }) => feature !== 'Feature' && !feature.startsWith('-'));

describe('docs/comparison.md', () => {
  it('has rows, of six cells each', () => {
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter(({ line }) => line.split('|').length !== 8)).toEqual([]);
  });

  it.each(rows)('$feature: a test of ours proves it, or we say no', ({ ours }) => {
    const proofs = [...ours.matchAll(/\]\(\.\.\/(test\/[^)]+)\)/g)].map((match) => match[1]!);
    if (proofs.length === 0) expect(ours).toMatch(/^no\b/);
    expect(proofs.filter((path) => !existsSync(resolve(ROOT, path)))).toEqual([]);
    // A folder of helpers proves nothing.
    for (const path of proofs) expect(path).toMatch(/\.(test|spec)\.ts$|^test\/chaos\/README\.md$/);
  });
});

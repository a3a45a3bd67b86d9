import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const readme = read('README.md');

/** The cells of the first table row of a page that begins with these cells. */
function row(page: string, ...first: readonly string[]): string[] {
  const line = page.split('\n').find((it) => it.startsWith(`| ${first.join(' | ')} |`));
  if (line === undefined) throw new Error(`no row begins with ${first.join(', ')}`);
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

describe('README.md', () => {
  it.each(['of an API', 'of a worker'])('shows what the last full run measured with each kill -9 %s', (what) => {
    const [, , , result, measured] = row(read('docs/reliability.md'), `kill -9 ${what} in load`, 'workflow');
    const figure = (name: string): string => new RegExp(`(?:^|; )${name}: (\\d+)`).exec(measured!)![1]!;
    expect(result).toBe('passed');
    const [kills, lost, acknowledged] = ['kills', 'lost', 'acknowledged'].map(figure);
    expect(readme).toMatch(new RegExp(`\\b${kills}(?: \`kill -9\`)? ${what} lost ${lost} of ${acknowledged}\\b`));
  });

  it.each([
    ['`auto` (default)', 2],
    ['`workflow`', 1],
    ['`express`', 3],
  ])('shows the figures of %s that docs/performance.md has', (mode, column) => {
    const performance = read('docs/performance.md');
    const burst = row(performance, 'Deliveries/s, burst of 2,000 events')[column];
    const arrival = row(performance, 'Arrival at 20 events/s, p50 / p99 ms')[column];
    expect(row(readme, mode).slice(2, 4)).toEqual([burst, arrival]);
  });

  it('shows the arrivals beside a million held deliveries that docs/performance.md has', () => {
    const [, without, beside] = row(
      read('docs/performance.md'),
      "Arrival of the healthy account's events, p50 / p99 ms",
    ).map((cell) => cell.split(' / '));
    expect(readme.replaceAll(/\s+/g, ' ')).toContain(
      `arrive after ${beside![0]} ms (p50) and ${beside![1]} ms (p99); without them, after ${without![0]} and ${without![1]} ms`,
    );
  });

  it.each([
    ['Ordered delivery', 'Ordered delivery'],
    ['Cancel one pending delivery', 'Cancel one pending delivery'],
    ['Portal for your customers', 'Portal link for your customers'],
    ['Destinations other than HTTP', 'Other destinations than HTTP'],
    ['Traces (OpenTelemetry)', 'Traces'],
    ['Tests that kill its own parts', 'Tests that kill its own parts'],
  ])('says no for the same products as docs/comparison.md: %s', (feature, there) => {
    const saysNo = (cells: readonly string[]): boolean[] =>
      cells.slice(1).map((cell) => /^\**no(ne found)?\b/.test(cell));
    expect(saysNo(row(readme, feature))).toEqual(saysNo(row(read('docs/comparison.md'), there)));
  });
});

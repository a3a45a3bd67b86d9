import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', '*.ts', '*.tsx', '*.js', '*.mjs'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '');

it('constants that bound a value begin with MAX_ or MIN_', () => {
  const others = sources.flatMap((path) =>
    [
      ...readFileSync(join(ROOT, path), 'utf8').matchAll(
        /\b(?:MOST|LEAST|LONGEST|SHORTEST|FEWEST|LARGEST|SMALLEST)_[A-Z]\w*/g,
      ),
    ].map(([name]) => `${path}: ${name}`),
  );
  expect(sources.length).toBeGreaterThan(500);
  expect(others).toEqual([]);
});

it('the engine and the limits count slots and capacity, not room', () => {
  const hits = sources
    .filter((path) => /^(src|activities|workflows)\//.test(path))
    .flatMap((path) =>
      // An answer's message may use it.
      [
        ...readFileSync(join(ROOT, path), 'utf8').matchAll(/\w*(?:\broom\b(?! for another)|[a-z]Room\b|roomFor)\w*/g),
      ].map(([word]) => `${path}: ${word}`),
    );
  expect(hits).toEqual([]);
});

it('texts name who acts and what happens, instead of idioms', () => {
  const files = execFileSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', '--', '*.ts', '*.tsx', '*.mjs', '*.md', '*.yml'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  )
    .split('\n')
    // Tests use such names as data, and the changelog keeps what it said.
    .filter((path) => path !== '' && !path.startsWith('test/') && path !== 'CHANGELOG.md');
  const idiom = /\b(?:somebody|nobody|anybody|for good|what became of)\b/i;

  const hits = files.flatMap((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .flatMap((line, at) => (idiom.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
  );
  expect(hits).toEqual([]);
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { useTemporaryFolder } from '../support/temporary-folder';

const ROOT = join(__dirname, '..', '..');
const AUTHOR = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' };
const folder = useTemporaryFolder();

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: folder(), encoding: 'utf8', env: { ...process.env, ...AUTHOR } });

function write(path: string, text: string): void {
  mkdirSync(join(folder(), path, '..'), { recursive: true });
  writeFileSync(join(folder(), path), text);
}

function commit(path: string, text: string): void {
  write(path, text);
  git('add', '--all');
  git('commit', '--quiet', '--message', `change ${path}`);
}

/** Runs a line of code on a module of .ci. @returns the JSON value that it makes */
function evaluate(module: string, code: string): unknown {
  const url = pathToFileURL(join(ROOT, '.ci', module)).href;
  const program = `import * as it from ${JSON.stringify(url)}; process.stdout.write(JSON.stringify(${code}))`;
  const args = ['--input-type=module', '--eval', program];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: folder(), encoding: 'utf8' }));
}

/** Whether a check plays that depends on a folder, and what is said about the changes. */
function playedFor(input: string, base = 'origin/main'): { said: string; plays: boolean } {
  const code = `(({ said, touch }) => ({ said, plays: touch([${JSON.stringify(input)}]) }))(it.changesSince('${base}'))`;
  return evaluate('changes.mjs', code) as { said: string; plays: boolean };
}

describe('a check that depends on some files', () => {
  beforeEach(() => {
    git('init', '--quiet', '--initial-branch', 'main');
    commit('docs/page.md', 'one');
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  });

  it('plays on a branch that changed one of them, committed or not, and not on one that changed others', () => {
    git('switch', '--quiet', '--create', 'branch');
    commit('docs/page.md', 'two');
    write('deploy/new.yaml', 'a: 1');

    expect(playedFor('docs/')).toEqual({
      said: expect.stringMatching(/^2 files changed since origin\/main/),
      plays: true,
    });
    expect(playedFor('deploy/').plays).toBe(true);
    expect(playedFor('docs/page.md').plays).toBe(true);
    expect(playedFor('dashboard/').plays).toBe(false);
    expect(playedFor('doc').plays).toBe(false);
  });

  it('plays if main changed it meanwhile no more often', () => {
    git('switch', '--quiet', '--create', 'branch');
    commit('src/main.ts', 'one');
    git('switch', '--quiet', 'main');
    commit('docs/page.md', 'three');
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    git('switch', '--quiet', 'branch');

    expect(playedFor('docs/').plays).toBe(false);
    expect(playedFor('src/').plays).toBe(true);
  });

  it.each([
    ['on main itself', 'origin/main', 'this is origin/main'],
    ['without the other branch', 'origin/other', 'Git finds no common commit with origin/other'],
  ])('always plays %s, and the reason is said', (_where, base, reason) => {
    expect(playedFor('dashboard/', base)).toEqual({ said: expect.stringContaining(reason), plays: true });
  });
});

interface Check {
  readonly name: string;
  readonly command: readonly string[];
  readonly after?: readonly string[];
  readonly inputs?: readonly string[];
}

describe('the checks of .ci/run', () => {
  const checks = () => evaluate('checks.mjs', `it.checksOf(${JSON.stringify(ROOT)}, '/logs')`) as readonly Check[];

  it('wait for checks that there are, and name files that there are', () => {
    const names = checks().map(({ name }) => name);
    expect(checks().flatMap(({ after = [] }) => after.filter((name) => !names.includes(name)))).toEqual([]);

    const files = git('-C', ROOT, 'ls-files').split('\n');
    const isThere = (input: string) =>
      files.some((file) => (input.endsWith('/') ? file.startsWith(input) : file === input));
    expect(checks().flatMap(({ inputs = [] }) => inputs.filter((input) => !isThere(input)))).toEqual([]);
  });

  it('are all in the nightly workflow', () => {
    const workflow = execFileSync('cat', [join(ROOT, '.github/workflows/nightly.yml')], { encoding: 'utf8' });
    const jobs = [...workflow.matchAll(/^ {10}- ([a-z,]+)$/gm)].flatMap((match) => match[1]!.split(','));

    expect(jobs.sort()).toEqual(
      checks()
        .map(({ name }) => name)
        .filter((name) => name !== 'machine' && name !== 'build')
        .sort(),
    );
  });
});

describe('tests that fail beside the other checks of .ci/run', () => {
  type Outcome = 'passed' | 'failed';
  const report = (outcomes: Record<string, Outcome>): string =>
    JSON.stringify({
      testResults: Object.entries(outcomes).map(([name, status]) => ({
        name: join(ROOT, 'test', `${name}.test.ts`),
        status,
        assertionResults: [{ fullName: name, status, failureMessages: status === 'failed' ? ['broken'] : [] }],
      })),
    });
  const secondTries = () =>
    evaluate('again.mjs', `it.secondTries(${JSON.stringify(ROOT)}, '${folder()}', ['test'])`) as Check[];
  const verdict = () => evaluate('verdict.mjs', `it.summarise('${folder()}', { jest: true, browser: false })`);

  it('play once more, alone, and no others do', () => {
    write('jest.json', report({ one: 'failed', two: 'passed' }));
    expect(secondTries()).toMatchObject([{ name: 'test-again', alone: true }]);
    expect(secondTries()[0]!.command.slice(-1)).toEqual(['test/one.test.ts']);

    write('jest.json', report({ one: 'failed', two: 'failed', three: 'failed', four: 'failed' }));
    expect(secondTries()).toEqual([]);
    write('jest.json', report({ one: 'passed' }));
    expect(secondTries()).toEqual([]);
  });

  it('are told as unsteady if they pass then, and fail if they fail again', () => {
    write('jest.json', report({ one: 'failed', two: 'passed' }));
    expect(verdict()).toMatchObject({ passed: 1, failed: 1 });

    write('jest-again.json', report({ one: 'passed' }));
    const complaints = [expect.stringContaining('UNSTEADY one\nbroken'), expect.stringContaining('1 UNSTEADY')];
    expect(verdict()).toEqual({ passed: 2, failed: 0, complaints });

    write('jest-again.json', report({ one: 'failed' }));
    expect(verdict()).toMatchObject({ passed: 1, failed: 1 });
  });
});

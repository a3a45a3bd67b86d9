import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useTemporaryFolder } from '../support/temporary-folder';

const ROOT = join(__dirname, '..', '..');
const PACKAGES = ['package.json', 'client/package.json', 'packages/listen/package.json'];
const CHART = 'deploy/helm/everpost/Chart.yaml';
const WHEEL = 'packages/python/pyproject.toml';
const RELEASED = [...PACKAGES, WHEEL, 'package-lock.json', 'docker-compose.yml', CHART, '.ci/release.mjs'];
const AUTHOR = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' };

const folder = useTemporaryFolder();

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: folder(), encoding: 'utf8', env: { ...process.env, ...AUTHOR } });
const inFolder = (file: string): string => readFileSync(join(folder(), file), 'utf8');
const changelog = (text: string): void => writeFileSync(join(folder(), 'CHANGELOG.md'), text);

function release(...args: string[]) {
  const options = { cwd: folder(), encoding: 'utf8', env: { ...process.env, ...AUTHOR } } as const;
  const { status, stdout, stderr } = spawnSync('node', ['.ci/release.mjs', ...args], options);
  return { status, said: stdout + stderr };
}

beforeEach(() => {
  for (const file of RELEASED) cpSync(join(ROOT, file), join(folder(), file));
  changelog('# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Endpoints.\n');
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'begin');
});

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

it('a release sets the version everywhere, dates the changelog and tags the commit with its notes', () => {
  expect(release('77.0.1')).toEqual({ status: 0, said: expect.stringContaining('git push --follow-tags') });

  const lock = JSON.parse(inFolder('package-lock.json')) as {
    version: string;
    packages: Record<string, { version: string }>;
  };
  const versions = [
    ...PACKAGES.map((file) => JSON.parse(inFolder(file)) as { version: string }),
    ...[lock, lock.packages['']!, lock.packages['client']!, lock.packages['packages/listen']!],
  ];
  expect(versions.map((it) => it.version)).toEqual(versions.map(() => '77.0.1'));
  expect(inFolder('docker-compose.yml')).toContain('image: everpost:77.0.1');
  expect(inFolder(WHEEL)).toMatch(/^version = "77\.0\.1"$/m);
  expect(inFolder(CHART)).toMatch(/^version: 77\.0\.1\nappVersion: 77\.0\.1$/m);
  expect(inFolder('CHANGELOG.md')).toMatch(
    /## \[Unreleased\]\n\n## \[77\.0\.1\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- Endpoints\.\n/,
  );
  expect(git('status', '--porcelain')).toBe('');
  expect(git('tag', '--list', '--format', '%(contents)', '--points-at', 'HEAD', 'v77.0.1')).toMatch(
    /^Everpost 77\.0\.1\n\n### Added\n\n- Endpoints\.\n/,
  );
  expect(release('notes', '77.0.1')).toEqual({ status: 0, said: '### Added\n\n- Endpoints.\n' });
});

it('the first release may have the version that is there', () => {
  expect(release(version)).toMatchObject({ status: 0 });
  expect(git('tag', '--list').trim()).toBe(`v${version}`);
});

it.each([
  ['a malformed version', () => {}, ['1.2'], 'Usage: node .ci/release.mjs'],
  [
    'uncommitted changes',
    () => changelog('# Changelog\n\n## [Unreleased]\n\n- More.\n'),
    ['77.0.1'],
    'Commit or remove',
  ],
  [
    'another branch',
    () => void git('switch', '--quiet', '--create', 'other'),
    ['77.0.1'],
    'Releases are made on main.',
  ],
  ['a version that was released', () => void git('tag', 'v77.0.1'), ['77.0.1'], 'v77.0.1 exists already.'],
  ['an older version', () => void git('tag', 'v0.0.1'), ['0.0.2'], `0.0.2 has to be greater than ${version}.`],
  ['an empty changelog', emptyChangelog, ['77.0.1'], 'CHANGELOG.md has nothing under "## [Unreleased]".'],
  ['notes of an unknown version', () => {}, ['notes', '77.0.1'], 'CHANGELOG.md has nothing about 77.0.1.'],
])('refuses %s, and changes nothing', (_, prepare, args, said) => {
  prepare();
  const before = [git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag', '--list')];
  expect(release(...args)).toEqual({ status: 1, said: expect.stringContaining(said) });
  expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag', '--list')]).toEqual(before);
});

function emptyChangelog(): void {
  changelog('# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-01-01\n\n- Old.\n');
  git('commit', '--all', '--quiet', '--message', 'empty');
}

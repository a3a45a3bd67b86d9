import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { useStack } from '../support/build-stack';
import { pythonTools, type PythonTools } from '../support/python-tools';

// The wheel, as a user installs it: in an empty virtual environment. Its own tests run there.

const run = promisify(execFile);
const PACKAGE = join(__dirname, '..', '..', 'packages', 'python');
/** pip fetches what the build and the package need. */
const PATIENCE_MS = 300_000;

const stack = useStack();

let tools: PythonTools | undefined;
let folder = '';
let python: string;

beforeAll(async () => {
  tools = await pythonTools();
  if (!tools) return;
  folder = await mkdtemp(join(tmpdir(), 'everpost-python-'));
  await run(process.execPath, [join(PACKAGE, 'pack.mjs'), folder]);
  const wheels = await readdir(folder);
  expect(wheels).toEqual([expect.stringMatching(/^everpost-\d+\.\d+\.\d+-py3-none-any\.whl$/)]);
  python = join(folder, 'venv', 'bin', 'python');
  await run('python3', ['-m', 'venv', join(folder, 'venv')]);
  const pip = ['-m', 'pip', '--disable-pip-version-check', '--no-input', 'install', '--quiet'];
  await run(python, [...pip, join(folder, wheels[0]!)]);
}, PATIENCE_MS);
afterAll(async () => {
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Runs a program with the installed wheel, and every warning as an error. */
async function play(args: readonly string[], env: Record<string, string> = {}) {
  const options = { cwd: PACKAGE, env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env } };
  return run(python, ['-W', 'error', ...args], options);
}

it('verifies signatures, retries, ends in time and tells errors, and has a method for each operation', async () => {
  if (!tools) return;
  const { stderr } = await play(['-m', 'unittest']);
  expect(stderr).toMatch(/^Ran [1-9]\d+ tests[^]*\nOK\n$/m);
}, 120_000);

it('plays its README against a running Everpost: sends, pages, verifies what arrives, blocking and asynchronous', async () => {
  if (!tools) return;
  const { key } = await stack.account();
  const { key: managementKey } = await stack.managementKey();
  const env = { EVERPOST_URL: stack.url, EVERPOST_KEY: key, EVERPOST_ADMIN_KEY: managementKey };
  const { stdout } = await play(['-m', 'tests.readme'], env);
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/^ep_\w+ (pending|delivered)$/),
    expect.stringMatching(/^404 event_not_found .+ req_\w+$/),
    // The events so far, newest first.
    ...Array.from({ length: 4 }, () => expect.stringMatching(/^\d+ (pending|delivered)$/) as unknown),
    // The account of the platform, and the one that was made without an id of its own.
    ...['cus_42', 'None', expect.stringMatching(/^http.+\/portal#.+$/)],
    ...Array.from({ length: 4 }, () => expect.stringMatching(/^\d+ order\.\w+ \{.*\}$/) as unknown),
    ...['verified 4', ''],
  ]);
}, 120_000);

it('has types that mypy finds right, and so have programs that use it', async () => {
  if (!tools) return;
  const mypy = ['-m', 'mypy', '--strict', '--python-executable', python, '--cache-dir', join(folder, 'mypy')];
  const ended = await tools.run([...mypy, '--package', 'everpost', '--package', 'tests'], { cwd: PACKAGE });
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Success: no issues found in') as string });
}, 120_000);

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { useStack } from '../support/build-stack';
import { installNode, installProject, makeFolder, pack } from './installed-package';

// From the packed client to a verified delivery, in each kind of project that people have.

/** npm fetches a framework, on a busy machine. */
const PATIENCE_MS = 600_000;
const VERSIONS = (process.env['PACKAGE_NODES'] ?? 'current').split(' ');

const stack = useStack();
let folder: string;
let tarball: string;
const nodes = new Map<string, string>();

beforeAll(async () => {
  folder = await makeFolder();
  const [client] = await pack(folder, ['--workspace', 'client']);
  tarball = join(folder, client!.filename);
  for (const version of VERSIONS) {
    const isCurrent = version === 'current';
    nodes.set(version, isCurrent ? process.execPath : await installNode(version, join(folder, 'node', version)));
  }
}, PATIENCE_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each([
  ['an ES module in TypeScript', 'esm', VERSIONS],
  ['Express in CommonJS, with the module resolution of older projects', 'commonjs', VERSIONS],
  ['Nest', 'nest', VERSIONS],
  ['Jest', 'jest', VERSIONS],
  ['Next', 'next', VERSIONS],
  ['Deno', 'deno', VERSIONS.slice(0, 1)],
])('%s', (_, kind, versions) => {
  let project: Awaited<ReturnType<typeof installProject>>;

  beforeAll(async () => {
    project = await installProject(join(__dirname, 'projects', kind), tarball, join(folder, kind));
    if (kind !== 'jest') await project.script('build', process.execPath);
  }, PATIENCE_MS);

  it.each(versions)('verifies the delivery of an event that it sent, on Node %s', async (version) => {
    const env = { EVERPOST_URL: stack.url, EVERPOST_KEY: (await stack.account()).key };
    expect(await project.script('play', nodes.get(version)!, env)).toMatch(/^verified order\.created ord_42$/m);
  });
});

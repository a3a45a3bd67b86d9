import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { useReceiver } from '../support/build-receiver';
import { useStack } from '../support/build-stack';
import { hasGoFor } from '../support/go-tools';
import { pythonTools } from '../support/python-tools';
import { useTemporaryFolder } from '../support/temporary-folder';

// What strangers' generators make of the served document compiles, and makes calls.

const run = promisify(execFile);
const ROOT = join(__dirname, '..', '..');
const PROGRAMS = join(__dirname, 'generated-clients');
/** The first time, Go and pip download what they need. */
const PATIENCE_MS = 300_000;

/** Text, because what it imports is there only when the types are written. */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

const [baseUrl, key, url] = process.argv.slice(2) as [string, string, string];
const client = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${key}\` } });

const endpoint = await client.POST('/api/v1/webhooks/endpoints', { body: { url } });
const event = await client.POST('/api/v1/webhooks/events', {
  body: { type: 'order.created', data: { language: 'typescript' } },
});
const found = await client.GET('/api/v1/webhooks/events/{event_id}', {
  params: { path: { event_id: event.data!.id } },
});
const refused = await client.POST('/api/v1/webhooks/events', { body: { type: 'no type', data: {} } });
// A later release may answer with a code that this document does not list.
const later: components['schemas']['ErrorCode'] = 'code_of_a_later_release';

console.log(endpoint.response.status, event.response.status, found.data!.type, refused.error!.code, later);
`;

const stack = useStack();
const receiver = useReceiver();
const folder = useTemporaryFolder();

/** What each program gets: the URL of the API, a key, and where deliveries go. */
const args = async (): Promise<string[]> => [stack.url, (await stack.account()).key, receiver.url];

/** The document as callers get it. */
async function saveDocument(): Promise<string> {
  const path = join(folder(), 'openapi.json');
  await writeFile(path, await (await fetch(`${stack.url}/openapi.json`)).text());
  return path;
}

/** The language that the delivered event names. */
async function deliveredLanguage(): Promise<unknown> {
  const [request] = await receiver.waitFor(1);
  return (JSON.parse(request!.body.toString()) as { data: { language: unknown } }).data.language;
}

it(
  'openapi-typescript writes types that compile, and calls by them work',
  async () => {
    const document = await saveDocument();
    const modules = join(ROOT, 'client', 'node_modules');
    await run(process.execPath, [
      join(modules, 'openapi-typescript', 'bin', 'cli.js'),
      document,
      // Without the flag, a field of a request that has a default would be required.
      ...['--output', join(folder(), 'schema.ts'), '--default-non-nullable', 'false'],
    ]);
    await symlink(join(ROOT, 'node_modules'), join(folder(), 'node_modules'));
    await writeFile(join(folder(), 'client.ts'), PROGRAM);
    await writeFile(join(folder(), 'package.json'), '{"type":"module"}');
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node', '--skipLibCheck'];
    await run(process.execPath, [join(modules, 'typescript', 'bin', 'tsc'), ...options, 'client.ts'], {
      cwd: folder(),
    });

    const { stdout } = await run(process.execPath, [join(folder(), 'client.js'), ...(await args())]);
    expect(stdout).toBe('201 202 order.created invalid_request code_of_a_later_release\n');
    expect(await deliveredLanguage()).toBe('typescript');
  },
  PATIENCE_MS,
);

it(
  'openapi-python-client writes a client that makes calls, and reads codes of a later release',
  async () => {
    const python = await pythonTools();
    if (!python) return;
    const document = await saveDocument();
    const settings = join(folder(), 'settings.yaml');
    // By default it formats what it wrote, with a program that it looks for on PATH.
    await writeFile(settings, 'post_hooks: []\n');
    const generated = join(folder(), 'everpost_generated');
    const flags = ['--path', document, '--output-path', generated, '--meta', 'none', '--config', settings];
    const generating = await python.run(['-m', 'openapi_python_client', 'generate', ...flags, '--fail-on-warning']);
    expect(generating).toMatchObject({ code: 0 });

    await copyFile(join(PROGRAMS, 'client.py'), join(folder(), 'client.py'));
    const { stdout, stderr } = await python.run(['client.py', ...(await args())], { cwd: folder() });
    expect([stdout, stderr]).toEqual(['201 202 order.created invalid_request code_of_a_later_release\n', '']);
    expect(await deliveredLanguage()).toBe('python');
  },
  PATIENCE_MS,
);

it(
  'oapi-codegen writes a client for Go that compiles, and makes calls',
  async () => {
    if (!hasGoFor(join(PROGRAMS, 'go'), 'oapi-codegen wrote no client')) return;
    const document = await saveDocument();
    const settings = { cwd: folder(), env: { ...process.env, GOFLAGS: '' } };
    await cp(join(PROGRAMS, 'go'), folder(), { recursive: true });
    await mkdir(join(folder(), 'everpost'));
    const output = ['-package', 'everpost', '-generate', 'types,client', '-o', 'everpost/client.gen.go'];
    await run('go', ['tool', 'oapi-codegen', ...output, document], settings);

    const { stdout } = await run('go', ['run', '.', ...(await args())], settings);
    expect(stdout).toBe('201 202 order.created invalid_request\n');
    expect(await deliveredLanguage()).toBe('go');
  },
  PATIENCE_MS,
);

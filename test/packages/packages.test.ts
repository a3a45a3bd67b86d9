import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { installNode, installPackage, makeFolder, pack, type Packed, type Running } from './installed-package';

const ROOT = join(__dirname, '..', '..');
/** npm copies 330 MB, on a busy machine. */
const PATIENCE_MS = 900_000;
const VERSIONS = (process.env['PACKAGE_NODES'] ?? 'current').split(' ');

let folder: string;
let packed: readonly Packed[];

beforeAll(async () => {
  folder = await makeFolder();
  packed = await pack(folder);
}, PATIENCE_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

const packageOf = (name: string): Packed => packed.find((it) => it.name === name)!;
const pathsOf = (name: string): string[] => packageOf(name).files.map(({ path }) => path);

describe('the packages hold what they need, and nothing else', () => {
  it('everpost has the command, the compiled product, the page, the workflows and the small profile', () => {
    expect(pathsOf('everpost')).toEqual(
      expect.arrayContaining([
        ...['LICENSE', 'README.md', 'bootstrap/everpost.js', 'dist/dev/start.js', 'dist/src/main.js'],
        ...['dist/src/estimator/catalog.csv', 'dist/web/index.html', 'dist/workflow-bundle.js'],
        // What docs/small.md installs from it.
        ...['deploy/mongodb/prepare.js', 'deploy/small/everpost.service', 'deploy/small/mongod.conf'],
      ]),
    );
    const known =
      /^(bootstrap\/everpost\.js|deploy\/mongodb\/prepare\.js|deploy\/small\/[^/]+|dist\/(activities|dev|src|web)\/.+|dist\/workflow-bundle\.js|[^/]+)$/;
    expect(pathsOf('everpost').filter((path) => !known.test(path))).toEqual([]);
    expect(pathsOf('everpost').filter((path) => /\.(ts|map|tsbuildinfo)$|test\.|^\.env$/.test(path))).toEqual([]);
  });

  it.each(['everpost', 'everpost-listen'])('%s has no file whose source is gone (if it has, remove dist/)', (name) => {
    const compiled = pathsOf(name).filter((path) => /^dist\/(?!web\/|workflow-bundle).*\.js$/.test(path));
    const sources = compiled.map((path) => path.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
    expect(sources.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it.each(['everpost-client', 'everpost-listen'])('%s is built when it is packed, and has its licence', (name) => {
    expect(pathsOf(name)).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    expect(pathsOf(name).filter((path) => /^dist\/.*\.js$/.test(path)).length).toBeGreaterThan(4);
  });
});

describe.each(VERSIONS)('on Node %s', (version) => {
  let node: string;
  let receiver: Receiver;
  const started: Running[] = [];
  const install = (name: string) =>
    installPackage(join(folder, packageOf(name).filename), join(folder, version, name), node);

  beforeAll(async () => {
    node = version === 'current' ? process.execPath : await installNode(version, join(folder, version, 'node'));
    receiver = await buildReceiver(401);
  }, PATIENCE_MS);
  afterAll(async () => {
    await Promise.all(started.map((running) => running.stop('SIGKILL')));
    await receiver.close();
  });

  it('everpost-listen is below 5 MB with all it needs, and says at once what is wrong', async () => {
    const listen = await install('everpost-listen');

    expect(listen.bytes()).toBeLessThan(5_000_000);
    expect((await listen.run('everpost-listen', '--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const { port } = await buildReceiver().then(async (gone) => (await gone.close(), gone));
    const nowhere = `http://127.0.0.1:${port}`;
    const { stderr } = await listen.run(
      ...(['everpost-listen', '--forward', receiver.url, '--key', 'k', '--url', nowhere, '--replay', '1'] as const),
    );
    expect(stderr).toBe(`Event 1: no connection (ECONNREFUSED) to ${nowhere}\n`);
  });

  it('everpost-client can be imported and required', async () => {
    const client = await install('everpost-client');
    const print = 'console.log(typeof it.createEverpost, typeof it.verify)';

    expect(await client.evaluate('-e', `const it = require('everpost-client'); ${print}`)).toBe('function function\n');
    const imported = `import('everpost-client').then((it) => ${print})`;
    expect(await client.evaluate('-e', imported)).toBe('function function\n');
  });

  it(
    'everpost starts everything in an empty folder, delivers an event, and its commands reach it',
    async () => {
      const everpost = await install('everpost');
      expect((await everpost.run('everpost', '--version')).stdout).toBe(`${packageOf('everpost').version}\n`);

      const stack = everpost.start('everpost', 'start');
      started.push(stack);
      await eventually(stack.printed, (text) => text.includes('Ctrl-C stops everything'), PATIENCE_MS / 3);
      expect(stack.printed()).toContain('"npx everpost start"');
      const api = /API +(http:\S+)/.exec(stack.printed())![1]!;
      const inbox = /Inbox +(http:\S+)/.exec(stack.printed())![1]!;
      const key = /svc_live_weh_[0-9a-f]{32}/.exec(stack.printed())![0];
      const post = (path: string, body: unknown) =>
        fetch(`${api}/api/v1/webhooks/${path}`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        });
      expect(await (await fetch(`${api}/dashboard`)).text()).toContain('<title>');

      const listening = everpost.start(
        'everpost',
        'listen',
        ...['--url', api, '--key', key, '--forward', receiver.url],
      );
      started.push(listening);
      await eventually(listening.printed, (text) => text.includes('Forwarding * to '));
      await post('endpoints', { url: inbox.replace('http:', 'https:'), events: ['*'] });
      await post('events', { type: 'order.created', data: { order: 1 } });

      const received = async () => (await (await fetch(`${inbox}requests`)).json()) as { signature: string }[];
      await eventually(received, (all) => all.length === 1 && all[0]!.signature === 'verified');
      await eventually(listening.printed, (text) => text.includes('pass that one with --secret'));
      const accounts = JSON.parse((await everpost.run('everpost', 'account', 'list', '--json')).stdout) as unknown[];
      expect(accounts).toHaveLength(1);
      expect(await stack.stop('SIGINT')).toBe(0);
      expect(existsSync(join(folder, version, 'everpost', '.everpost'))).toBe(true);
    },
    PATIENCE_MS,
  );
});

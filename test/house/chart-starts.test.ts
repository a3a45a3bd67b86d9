import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../dev/ports';
import { apiClient } from '../support/api-client';
import { useReceiver } from '../support/build-receiver';
import { buildSettings } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { containerOf, environmentOf, helm, objectOf, renderChart, type Container } from '../support/render-chart';
import { startRoleProcess, type RoleProcess } from '../support/role-process';
import { serverBinary } from '../support/server-binary';
import { useTemporaryFolder } from '../support/temporary-folder';

// No cluster is here: what a kubelet would start is started as processes, with the environment that the chart gives them.

const ROOT = join(__dirname, '..', '..');
const folder = useTemporaryFolder();
const receiver = useReceiver();
const started: RoleProcess[] = [];
afterEach(() => Promise.all(started.splice(0).map((it) => it.kill())));

/** The chart for servers and receivers on loopback. @param metricsPort each pod has its own network, processes share one */
async function render(metricsPort: number, settings: Readonly<Record<string, string>>) {
  const { MONGODB_URI, TEMPORAL_ADDRESS, ENCRYPTION_KEY, ...others } = settings;
  const { objects, error } = renderChart({
    image: { repository: 'registry.example.com/everpost' },
    mongodb: { uri: MONGODB_URI },
    temporal: {
      address: TEMPORAL_ADDRESS,
      namespace: others['TEMPORAL_NAMESPACE'],
      prepareNamespace: { enabled: true },
    },
    encryptionKey: ENCRYPTION_KEY,
    api: { port: await freePort() },
    metrics: { port: metricsPort },
    settings: { ...others, HOST: '127.0.0.1', EVERPOST_ALLOW_PRIVATE_IN_PRODUCTION: '1', LOG_LEVEL: 'info' },
  });
  expect(error).toBe('');
  return objects;
}

/** Runs the Job's script with its environment, and the `temporal` of the tests. */
async function prepareNamespace(objects: ReturnType<typeof renderChart>['objects']): Promise<string> {
  const name = 'everpost-prepare-namespace';
  const script = join(folder(), 'prepare-namespace.sh');
  writeFileSync(script, objectOf(objects, 'ConfigMap', name).data!['prepare-namespace.sh']!);
  symlinkSync(await serverBinary('temporal'), join(folder(), 'temporal'));
  const env = environmentOf(objects, containerOf(objectOf(objects, 'Job', name)));
  const { stdout } = await promisify(execFile)('/bin/sh', [script], {
    env: { ...env, HOME: folder(), PATH: `${folder()}:/usr/bin:/bin` },
  });
  return stdout;
}

/** The answers to every probe of a container. */
async function answersOf({ ports, ...container }: Container): Promise<Record<string, number>> {
  const probes = Object.entries(container).filter(([name]) => name.endsWith('Probe'));
  const answers = probes.map(async ([name, probe]) => {
    const { path, port } = (probe as NonNullable<Container['startupProbe']>).httpGet;
    const { containerPort } = ports!.find((it) => it.name === port)!;
    return [name, (await fetch(`http://127.0.0.1:${containerPort}${path}`)).status] as const;
  });
  return Object.fromEntries(await Promise.all(answers));
}

test(
  // oxlint-disable-next-line jest/valid-title -- a machine that can't show it says so
  helm
    ? 'the pods of the chart start with its environment alone, answer its probes and deliver an event'
    : 'NOT SHOWN: Helm is not installed (.ci/chart-tools), so nothing of the chart is started',
  async () => {
    if (!helm) return;
    // An own namespace: the Job makes it.
    const namespace = `chart-${randomBytes(6).toString('hex')}`;
    const { PORT: _, ...settings } = await buildSettings({ TEMPORAL_NAMESPACE: namespace }, 'api');
    const [forApi, forWorker] = [await render(await freePort(), settings), await render(await freePort(), settings)];
    expect(await prepareNamespace(forApi)).toContain('The namespace is ready.');

    const api = containerOf(objectOf(forApi, 'Deployment', 'everpost-api'));
    const worker = containerOf(objectOf(forWorker, 'Deployment', 'everpost-worker'));
    expect([api.command, worker.command]).toEqual([
      ['node', 'dist/src/main.js', 'api'],
      ['node', 'dist/src/main.js', 'worker'],
    ]);
    const processes = await Promise.all([
      startRoleProcess('api', environmentOf(forApi, api)),
      startRoleProcess('worker', environmentOf(forWorker, worker)),
    ]);
    started.push(...processes);

    const everpost = (...args: string[]) =>
      JSON.parse(
        execFileSync(process.execPath, [join(ROOT, 'dist/src/cli.js'), ...args, '--json'], {
          env: { ...environmentOf(forApi, api), PATH: '/usr/bin:/bin', HOME: folder() },
          encoding: 'utf8',
        }),
      ) as { id: string; key: string };
    const account = everpost('account', 'create', '--email', 'a@example.com', '--tier', 'team');
    const { key } = everpost('key', 'create', '--account', account.id, '--product', 'weh', '--label', 'test');
    await eventually(
      () => answersOf(api),
      ({ readinessProbe }) => readinessProbe === 200,
    );
    expect(await answersOf(api)).toEqual({ startupProbe: 200, livenessProbe: 200, readinessProbe: 200 });
    await eventually(
      () => answersOf(worker),
      ({ readinessProbe }) => readinessProbe === 200,
    );
    expect(await answersOf(worker)).toEqual({ startupProbe: 200, livenessProbe: 200, readinessProbe: 200 });

    const client = apiClient(processes[0].url!, key);
    await client.post('/api/v1/webhooks/endpoints', { url: receiver.url, events: ['*'] });
    await client.post('/api/v1/webhooks/events', { type: 'order.created', data: { id: 1 } });
    const [request] = await receiver.waitFor(1);
    expect(request!.body.toString()).toContain('order.created');

    await Promise.all(processes.map((it) => it.stop()));
    expect(processes.map((it) => it.log())).toEqual([
      expect.stringContaining('stopping'),
      expect.stringContaining('stopping'),
    ]);
  },
  // Each of four processes loads everything again, on a machine that may be busy.
  240_000,
);

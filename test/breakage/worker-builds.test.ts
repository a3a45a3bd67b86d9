import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { temporal as api } from '@temporalio/proto';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { DELIVERY_TASK_QUEUE, RETRY_NOW_SIGNAL, SEARCH_ATTRIBUTES } from '../../src/domain/delivery-contract';
import { freePort } from '../../dev/ports';
import { startTemporalServer } from '../../dev/temporal-server';
import { createLogger } from '../../src/platform/logger';
import { workflowCode, type DeliveryWorker } from '../../src/worker';
import { buildDataPath, useDataPath, type DataPath, type Promised } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';
import { startEphemeral } from '../support/ephemeral-server';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';
import { quietTemporal } from '../support/quiet-temporal';
import { serverBinary } from '../support/server-binary';
import { useTemporaryFolder } from '../support/temporary-folder';

const { RoutingConfigUpdateState } = api.api.enums.v1;

// ADR 33: an operator starts workers of another build, and everything continues.

const receiver = useReceiver();
const folder = useTemporaryFolder();

/** Other bytes than the product's workflows, and so another build; the same behaviour. */
async function codeOfB(): Promise<NonNullable<WorkerOptions['workflowBundle']>> {
  const bundle = await workflowCode();
  if (!('code' in bundle)) throw new Error('the tests run from sources');
  // Not behind it: the source map is there, and where its base64 has no padding, what follows belongs to it.
  return { code: `// build B\n${bundle.code}` };
}

/** The build that gets all tasks; undefined before there is one, and while Temporal's task queues learn of a new one. */
async function currentBuild({ temporal }: DataPath): Promise<string | undefined> {
  const about = { namespace: temporal.namespace, deploymentName: 'everpost' };
  const found = await temporal.call(({ workflowService: it }) => it.describeWorkerDeployment(about)).catch(() => null);
  const { routingConfig, routingConfigUpdateState: state } = found?.workerDeploymentInfo ?? {};
  if (state === RoutingConfigUpdateState.ROUTING_CONFIG_UPDATE_STATE_IN_PROGRESS) return undefined;
  return routingConfig?.currentDeploymentVersion?.buildId ?? undefined;
}

/** Waits until another build than the given one is current. */
async function nextBuild(path: DataPath, before?: string): Promise<string> {
  const isNext = (build: string | undefined): boolean => build !== undefined && build !== before;
  return (await eventually(() => currentBuild(path), isNext))!;
}

/** Which build completed the last workflow task of a delivery. */
async function lastBuildOf(path: DataPath, { ref }: Promised): Promise<string | undefined> {
  const { events } = await path.handleOf(ref).fetchHistory();
  const completed = (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: it }) => (it ? [it] : []));
  return completed.at(-1)?.deploymentVersion?.buildId ?? undefined;
}

async function retryAll(path: DataPath, promised: readonly Promised[], number: number): Promise<void> {
  await Promise.all(promised.map(({ ref }) => path.handleOf(ref).signal(RETRY_NOW_SIGNAL, number)));
  await Promise.all(promised.map(({ ref }) => path.untilAttempts(ref, number)));
}

function collectLog() {
  const lines: string[] = [];
  const log = new Writable({ write: (line: Buffer, _encoding, done) => (lines.push(String(line)), done()) });
  return { lines, logger: createLogger('info', log) };
}

describe('two builds', () => {
  const SCHEDULE = { RETRY_SCHEDULE: '0s,1h,1h,1h' };
  const path = useDataPath({ env: SCHEDULE });
  /** Another process on the same servers. */
  const other = useFixture(
    'file',
    () => buildDataPath({ of: path, env: { ...SCHEDULE, TEMPORAL_NAMESPACE: path.temporal.namespace } }),
    (built) => built.close(),
  );
  let started: DeliveryWorker[] = [];

  const start = async (of: DataPath, setUp?: Parameters<DataPath['worker']>[1]): Promise<DeliveryWorker> => {
    const worker = await of.worker({}, setUp);
    started.push(worker);
    return worker;
  };

  afterEach(async () => {
    await Promise.all(started.map((worker) => worker.close()));
    started = [];
    await path.clear();
  });

  it('deliveries continue in a new build beside the old one, and in the old one after a rollback, each attempt once', async () => {
    receiver.answerWith(503);
    await path.endpoint(receiver.url);
    const before = await start(path);
    const a = await nextBuild(path);
    const waiting = await Promise.all([1, 2, 3, 4, 5].map(() => path.send()));
    await Promise.all(waiting.map(({ ref }) => path.untilAttempts(ref, 1)));
    // One whose request is open while the builds change.
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const seen = receiver.requests.length;
    receiver.answerWith((_request, count) => (count === seen + 1 ? answered.then(() => 503) : 503));
    const open = await path.send();
    await receiver.waitFor(seen + 1);

    const after = await start(other, { code: codeOfB });
    const b = await nextBuild(path, a);
    answer();
    await path.untilAttempts(open.ref, 1);
    const all = [...waiting, open, await path.send()];
    await path.untilAttempts(all.at(-1)!.ref, 1);
    await retryAll(path, all, 2);
    for (const delivery of all) expect(await lastBuildOf(path, delivery)).toBe(b);

    // The rollback: a worker of the build before starts, then those of the new one stop.
    await before.close();
    await start(path);
    expect(await nextBuild(path, b)).toBe(a);
    await after.close();
    await retryAll(path, all, 3);
    for (const delivery of all) expect(await lastBuildOf(path, delivery)).toBe(a);
    receiver.answerWith(200);
    await Promise.all(all.map(({ ref }) => path.handleOf(ref).signal(RETRY_NOW_SIGNAL, 4)));
    await Promise.all(all.map(({ ref }) => path.untilState(ref, 'delivered')));

    expect(receiver.requests).toHaveLength(4 * all.length);
  });

  it('a build without workers gives way to a build with workers, after a lease of 15 s', async () => {
    await start(path);
    const a = await nextBuild(path);
    const newer = await start(other, { code: codeOfB });
    await nextBuild(path, a);
    await newer.close();

    const promised = await path.sendTo(receiver.url);
    await path.untilState(promised.ref, 'delivered');

    // The delivery is recorded a moment before its workflow task completes.
    const build = await eventually(
      () => lastBuildOf(path, promised),
      (it) => it !== undefined,
    );
    expect(build).toBe(a);
  });

  it('when an operator manages the deployment, a worker of another build leaves the choice to them', async () => {
    await start(path);
    const a = await nextBuild(path);
    const about = { namespace: path.temporal.namespace, deploymentName: 'everpost' };
    const manage = (managerIdentity: string) =>
      path.temporal.call(({ workflowService: it }) =>
        it.setWorkerDeploymentManager({ ...about, identity: 'test', managerIdentity }),
      );
    await manage('an operator');
    const { lines, logger } = collectLog();

    await start(other, { code: codeOfB, logger });
    await eventually(
      () => lines.join(''),
      (text) => text.includes('has a manager'),
    );

    expect(await currentBuild(path)).toBe(a);
    await manage('');
  });

  it('after a rollback to a release without builds, its worker gets the deliveries after the documented command', async () => {
    const newer = await start(path);
    await nextBuild(path);
    await newer.close();
    const [, command] = /`temporal (worker deployment set-current-version [^`]*)`/.exec(
      readFileSync('docs/operating.md', 'utf8'),
    )!;
    const { address, namespace } = path.config.temporal;
    const where = ['--address', address!, '--namespace', namespace];
    const older = await Worker.create({
      connection: await path.temporal.connected(),
      namespace,
      taskQueue: DELIVERY_TASK_QUEUE,
      workflowBundle: await workflowCode(),
      activities: path.executor(),
    });

    await older.runUntil(async () => {
      const { ref } = await path.sendTo(receiver.url);
      await promisify(execFile)(await serverBinary('temporal'), [...command!.split(' '), ...where]);
      expect((await path.untilState(ref, 'delivered')).attempt_count).toBe(1);
    });
  });
});

it('after Temporal is wiped under a running worker, its build becomes current again and deliveries continue', async () => {
  const binary = await serverBinary('temporal');
  const port = await freePort();
  const namespace = 'wiped';
  const start = () =>
    startTemporalServer({ binary, dataDir: folder(), inMemory: true, port, namespace, onProgress: () => undefined });
  const first = await start();
  const env = { TEMPORAL_ADDRESS: first.address, TEMPORAL_NAMESPACE: namespace };
  const path = await buildDataPath({ env });
  try {
    await path.worker();
    const build = await nextBuild(path);
    await first.kill();

    const second = await start();
    try {
      expect(await nextBuild(path)).toBe(build);
      await path.untilState((await path.sendTo(receiver.url)).ref, 'delivered');
    } finally {
      await path.close();
      await second.kill();
    }
  } finally {
    await first.kill();
  }
});

it('with a Temporal server that does not route by build, deliveries continue and the log says so once', async () => {
  const executable = { type: 'existing-path', path: await serverBinary('temporal') } as const;
  const extraArgs = [
    ...['--dynamic-config-value', 'system.enableDeploymentVersions=false'],
    ...SEARCH_ATTRIBUTES.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
  ];
  quietTemporal();
  const server = await startEphemeral(() => TestWorkflowEnvironment.createLocal({ server: { executable, extraArgs } }));
  const path = await buildDataPath({ env: { TEMPORAL_ADDRESS: server.address, TEMPORAL_NAMESPACE: 'default' } });
  try {
    const { lines, logger } = collectLog();
    await path.worker({}, { logger });

    await path.untilState((await path.sendTo(receiver.url)).ref, 'delivered');

    expect(lines.filter((line) => line.includes('does not route by build'))).toHaveLength(1);
    expect(lines).toHaveLength(1);
  } finally {
    await path.close();
    await server.teardown();
  }
});

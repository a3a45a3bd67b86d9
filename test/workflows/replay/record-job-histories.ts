// Records the histories of bulk replays that replay.test.ts replays, from a real Temporal server:
//
//     npm test -- --testMatch '**/record-job-histories.ts'
//
// As with the histories of deliveries: a file that is there is evidence of executions that may be in flight, and stays.

import { replayWorkflowId } from '../../../src/domain/replay-contract';
import { createLogger } from '../../../src/platform/logger';
import { cancelReplay } from '../../../src/replays/cancel-replay';
import { createReplay } from '../../../src/replays/create-replay';
import type { ReplayJob } from '../../../src/replays/store';
import { buildDataPath, type DataPath } from '../../support/build-data-path';
import { insertEvents } from '../../support/build-events';
import { buildReceiver, type Receiver } from '../../support/build-receiver';
import { eventually } from '../../support/eventually';
import { saveHistory } from './recorded-histories';

const logger = createLogger('silent');

let path: DataPath;
let receiver: Receiver;

beforeEach(async () => {
  path = await buildDataPath();
  receiver = await buildReceiver();
});

afterEach(async () => {
  await path.close();
  await receiver.close();
});

async function start(count: number, ratePerSecond: number): Promise<ReplayJob> {
  const endpointId = await path.endpoint(receiver.url);
  const deliveries = [{ endpointId, state: 'failed' as const }];
  await insertEvents(
    path.mongo,
    Array.from({ length: count }, (_, index) => ({ id: index + 1, accountId: path.accountId, deliveries })),
  );
  const { stores, replayStarter } = path.parts;
  const caller = { accountId: path.accountId, now: await stores.dispatch.now() };
  return createReplay({ ...stores, replayStarter, logger }, caller, { state: 'failed', ratePerSecond });
}

function untilBegun({ _id }: ReplayJob) {
  return eventually(
    () => path.parts.stores.replays.find(_id),
    (job) => (job?.replayed ?? 0) > 0,
  );
}

it('completed in three pages', async () => {
  await path.worker();
  await save('completed', await start(15, 3));
});

it('with nothing to replay', async () => {
  await path.worker();
  await save('nothing-to-replay', await start(0, 50));
});

it('cancelled by a call', async () => {
  await path.worker();
  const job = await start(30, 2);
  await untilBegun(job);
  const { stores, replayStarter } = path.parts;
  await cancelReplay({ ...stores, replayStarter, logger }, path.accountId, job._id);
  await save('cancelled', job);
});

it("cancelled in Temporal's Web UI", async () => {
  await path.worker();
  const job = await start(30, 2);
  await untilBegun(job);
  await handleOf(job).cancel();
  await save('cancelled-in-web-ui', job);
});

it('with a page that failed at first', async () => {
  const { replays } = path.parts.stores;
  let failures = 2;
  const endPage: typeof replays.endPage = (job, result) => {
    failures -= 1;
    return failures >= 0 ? Promise.reject(new Error('MongoDB is away')) : replays.endPage(job, result);
  };
  await path.worker({ replays: { ...replays, endPage } });
  await save('infrastructure-failure', await start(5, 50));
});

function handleOf(job: ReplayJob) {
  return path.temporal.client()!.workflow.getHandle(replayWorkflowId(job._id));
}

const save = (name: string, job: ReplayJob): Promise<void> => saveHistory(`jobs/${name}`, handleOf(job), receiver.url);

// Records the histories of jobs that signal an endpoint's deliveries, which replay.test.ts replays:
//
//     npm test -- --testMatch '**/record-signal-histories.ts'
//
// As with the histories of deliveries: a file that is there is evidence of executions that may be in flight, and stays.

import type { DeliveryState } from '../../../src/domain/delivery-state';
import { signalWorkflowId } from '../../../src/domain/signal-contract';
import { buildDataPath, type DataPath } from '../../support/build-data-path';
import { insertEvents } from '../../support/build-events';
import { saveHistory } from './recorded-histories';

const URL = 'http://127.0.0.1:9/hook';

let path: DataPath;
let endpointId: string;

beforeEach(async () => {
  path = await buildDataPath();
  endpointId = await path.endpoint(URL);
});

afterEach(() => path.close());

/** Stores deliveries whose executions are over. */
function store(count: number, state: DeliveryState): Promise<void> {
  const deliveries = [{ endpointId, state }];
  return insertEvents(
    path.mongo,
    Array.from({ length: count }, (_, index) => ({ id: index + 1, accountId: path.accountId, deliveries })),
  );
}

it('woken in three pages', async () => {
  await store(1_200, 'pending');
  await path.worker();
  await save('woken', 'wake');
});

it('cancelled in two pages', async () => {
  await store(600, 'cancelled');
  await path.worker();
  await save('cancelled', 'cancel');
});

it('without a delivery', async () => {
  await path.worker();
  await save('nothing-to-wake', 'wake');
});

it('with a page that failed at first', async () => {
  await store(600, 'retrying');
  let failures = 2;
  const find: typeof path.parts.stores.endpoints.find = (id) => {
    failures -= 1;
    return failures >= 0 ? Promise.reject(new Error('MongoDB is away')) : path.parts.stores.endpoints.find(id);
  };
  await path.worker({ endpoints: { ...path.parts.stores.endpoints, find } });
  await save('infrastructure-failure', 'wake');
});

/** Runs the job to its end and writes its history down. */
async function save(name: string, signal: 'wake' | 'cancel'): Promise<void> {
  const which = { accountId: path.accountId, endpointId };
  expect(await path.parts.signalStarter.start(which, signal, 1)).toBe(true);
  const id = signalWorkflowId({ ...which, signal, cursor: null, signalled: 0 }, 1);
  await saveHistory(`signals/${name}`, path.temporal.client()!.workflow.getHandle(id));
}

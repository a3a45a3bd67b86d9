// Records the histories of jobs that signal an endpoint's deliveries, which replay-signals.test.ts replays:
//
//     npm test -- --testMatch '**/record-signal-histories.ts'
//
// As with the histories of deliveries: a file that is there is evidence of executions that may be in flight, and stays.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import type { DeliveryState } from '../../../src/domain/delivery-state';
import { signalWorkflowId } from '../../../src/domain/signal-contract';
import { buildDataPath, type DataPath } from '../../support/build-data-path';
import { insertEvents } from '../../support/build-events';

const FOLDER = join(__dirname, 'histories', 'signals');
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

test('woken in three pages', async () => {
  await store(1_200, 'pending');
  await path.worker();
  await save('woken', 'wake');
});

test('cancelled in two pages', async () => {
  await store(600, 'cancelled');
  await path.worker();
  await save('cancelled', 'cancel');
});

test('without a delivery', async () => {
  await path.worker();
  await save('nothing-to-wake', 'wake');
});

test('with a page that failed at first', async () => {
  await store(600, 'retrying');
  let failures = 2;
  const find: typeof path.parts.stores.endpoints.find = (id) => {
    failures -= 1;
    return failures >= 0 ? Promise.reject(new Error('MongoDB is away')) : path.parts.stores.endpoints.find(id);
  };
  await path.worker({ endpoints: { ...path.parts.stores.endpoints, find } });
  await save('infrastructure-failure', 'wake');
});

/** Runs the job to its end and writes the history down, without the names of the machine and its folders. */
async function save(name: string, signal: 'wake' | 'cancel'): Promise<void> {
  const file = join(FOLDER, `${name}.json`);
  const which = { accountId: path.accountId, endpointId };
  expect(await path.parts.signalStarter.start(which, signal, 1)).toBe(true);
  const id = signalWorkflowId({ ...which, signal, cursor: null, signalled: 0 }, 1);
  const handle = path.temporal.client()!.workflow.getHandle(id);
  await handle.result();
  const history = historyToJSON(await handle.fetchHistory());
  if (existsSync(file) && process.env['OVERWRITE'] !== '1') return;
  mkdirSync(FOLDER, { recursive: true });
  const anonymous = history
    .replaceAll(`${process.pid}@${hostname()}`, 'worker')
    .replaceAll(hostname(), 'host')
    .replaceAll(`${process.cwd()}/`, '');
  writeFileSync(file, `${JSON.stringify(JSON.parse(anonymous))}\n`);
}

// Records the histories that replay.test.ts replays, from a real Temporal server, through the real stack:
//
//     npm test -- --testMatch '**/record-histories.ts'
//
// Each file that is there already is evidence of executions that may be in flight somewhere: keep it as long as the
// workflow promises to continue them. A new path of the workflow gets a new file; run with OVERWRITE=1 only when no
// delivery started by the old code can be in flight any more.
//
// Not a *.test.ts, so an ordinary run leaves the files alone.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { DeliveryStore } from '../../../src/stores/delivery-store';
import { CANCEL_SIGNAL, RETRY_NOW_SIGNAL, type DeliveryRef } from '../../../src/domain/delivery-contract';
import type { OptionsBody } from '../../../src/endpoints/options-schema';
import { buildDataPath, type DataPath } from '../../support/build-data-path';
import { buildReceiver, type Answer, type Receiver } from '../../support/build-receiver';
import { eventually } from '../../support/eventually';
import { saveHistory } from './recorded-histories';

const QUICK = { RETRY_SCHEDULE: '0s,100ms,100ms,100ms,100ms,100ms,100ms,100ms' };
const PATIENT = { RETRY_SCHEDULE: '0s,1h,1h' };

let path: DataPath;
let receiver: Receiver;

afterEach(async () => {
  await receiver.close();
  await path.close();
});

async function open(env: Record<string, string>, answer: Answer, options?: OptionsBody): Promise<void> {
  path = await buildDataPath({ env });
  receiver = await buildReceiver(answer);
  await path.endpoint(receiver.url, '*', options);
}

it('delivered at the first attempt', async () => {
  await open(QUICK, 200);
  await path.worker();
  await save('delivered-at-first-attempt', (await path.send()).ref);
});

it('delivered at the third attempt', async () => {
  await open(QUICK, (_request, count) => (count < 3 ? 503 : 200));
  await path.worker();
  await save('delivered-at-third-attempt', (await path.send()).ref);
});

it('failed after eight attempts', async () => {
  await open(QUICK, 503);
  await path.worker();
  await save('failed-after-eight-attempts', (await path.send()).ref);
});

it('cancelled while it sleeps', async () => {
  await open(PATIENT, 503);
  await path.worker();
  const { ref } = await path.send();
  await path.untilAttempts(ref, 1);
  await path.parts.stores.deliveries.cancel(ref);
  await path.handleOf(ref).signal(CANCEL_SIGNAL);
  await save('cancelled', ref);
});

it('cancelled while a receiver that takes long is asked, and fails', async () => {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await open(PATIENT, () => answered.then(() => 503));
  await path.worker();
  const { ref } = await path.send();
  await untilEvents(ref, 'activityTaskScheduledEventAttributes');
  await path.parts.stores.deliveries.cancel(ref);
  await path.handleOf(ref).signal(CANCEL_SIGNAL);
  await untilEvents(ref, 'workflowExecutionSignaledEventAttributes');
  answer();
  await save('cancelled-while-asked', ref);
});

it("cancelled in Temporal's Web UI", async () => {
  await open(PATIENT, 503);
  await path.worker();
  const { ref } = await path.send();
  await path.untilAttempts(ref, 1);
  await path.handleOf(ref).cancel();
  await save('cancelled-in-web-ui', ref);
});

it('retried at once', async () => {
  await open(PATIENT, (_request, count) => (count === 1 ? 503 : 200));
  await path.worker();
  const { ref } = await path.send();
  await path.untilAttempts(ref, 1);
  await path.handleOf(ref).signal(RETRY_NOW_SIGNAL, 2);
  await save('retry-now', ref);
});

it('held at a paused endpoint, and released from the gate', async () => {
  await open(QUICK, async (_request, count) => {
    if (count === 1) await path.endpoints.updateMany({}, { $set: { status: 'paused' } });
    return count === 1 ? 503 : 200;
  });
  await path.worker();
  const { ref } = await path.send();
  await save('held-at-a-paused-endpoint', ref);
  await path.endpoints.updateMany({}, { $set: { status: 'active' } });
  await eventually(
    () => {
      path.parts.gate.look(ref.endpointId);
      return path.destination(ref);
    },
    ({ state }) => state === 'delivered',
  );
  await save('released-from-the-gate', ref);
});

it('an infrastructure failure at the first attempt', async () => {
  await open(QUICK, 200);
  const { deliveries } = path.parts.stores;
  let failures = 2;
  const claim: DeliveryStore['claim'] = (input, owner) => {
    failures -= 1;
    return failures >= 0 ? Promise.reject(new Error('MongoDB is away')) : deliveries.claim(input, owner);
  };
  await path.worker({ deliveries: { ...deliveries, claim } });
  await save('infrastructure-failure', (await path.send()).ref);
});

it('restarted from its third attempt', async () => {
  await open(QUICK, 200);
  await path.worker();
  const { ref, starts } = await path.promise();
  await path.parts.executions.start({ ...starts[0]!, firstAttempt: 3, firstDelayMs: 100 });
  await save('restarted-from-third-attempt', ref);
});

it('a slow destination', async () => {
  await open(QUICK, (_request, count) => (count < 2 ? 503 : 200));
  await path.worker({ capacity: { ...path.parts.capacity, isSlow: () => true } });
  await save('slow-destination', (await path.send()).ref);
});

it('an answer that took long, and late retries', async () => {
  await open(QUICK, async (_request, count) => {
    if (count === 1) await wait(5_500);
    return count < 6 ? 503 : 200;
  });
  await path.worker();
  await save('slow-answer-and-late-retries', (await path.send()).ref);
});

it('an own schedule, and a receiver that says when to come again', async () => {
  await open(QUICK, 200, { retry_schedule: [0, 0.1], honor_retry_after: true });
  const busy = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(503, { 'Retry-After': '2' }).end());
  });
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(busy.address() as AddressInfo).port}/hook`;
  await path.endpoints.updateMany({}, { $set: { url } });
  await path.worker();
  await save('retry-after', (await path.send()).ref);
  busy.close();
});

async function untilEvents(ref: DeliveryRef, attributes: string): Promise<void> {
  await eventually(
    () => path.handleOf(ref).fetchHistory(),
    ({ events }) => (events ?? []).some((event) => attributes in event && event[attributes as keyof typeof event]),
  );
}

const save = (name: string, ref: DeliveryRef): Promise<void> => saveHistory(name, path.handleOf(ref), receiver.url);

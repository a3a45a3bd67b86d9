import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { retryDelivery } from '../../src/deliveries/retry-delivery';
import { startOf } from '../../src/engine/task';
import { deliveryId } from '../../src/domain/delivery-contract';
import { buildAttempt, ownType, useDataPath } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';
import { useFixture } from '../support/fixture';

// When an endpoint's own options have its attempts made: `retry_schedule` and `honor_retry_after`.

const path = useDataPath();
const receiver = useReceiver();
let type: string;

beforeAll(() => path.worker());

beforeEach(() => {
  type = ownType();
});

describe('retry_schedule', () => {
  it('a delivery makes one attempt for each delay, on the schedule of its acceptance', async () => {
    receiver.answerWith(500);
    const id = await path.endpoint(receiver.url, type, { retry_schedule: [0, 1, 1] });
    const { starts, ref } = await path.promise(type);
    // What is promised stays so.
    await path.endpoints.updateOne({ _id: id }, { $set: { options: { retry_schedule: [0] } } });
    await path.parts.executions.start(starts[0]!);

    await path.untilState(ref, 'failed');

    expect(receiver.requests).toHaveLength(3);
    expect(await path.destination(ref)).toMatchObject({ attempt_count: 3, schedule_ms: [0, 1_000, 1_000] });
  });

  it('a first delay is kept, and shown as the next attempt from the start', async () => {
    await path.endpoint(receiver.url, type, { retry_schedule: [1.5, 10] });
    const before = await path.parts.stores.dispatch.now();
    const { ref, id } = await path.send(type);
    const { next_attempt_at: nextAt } = await path.destination(ref);
    const after = await path.parts.stores.dispatch.now();
    await path.untilState(ref, 'delivered');

    expect(nextAt!.getTime()).toBeGreaterThanOrEqual(before.getTime() + 1_500);
    expect(nextAt!.getTime()).toBeLessThanOrEqual(after.getTime() + 1_500);
    const { events } = await path.handleOf(ref).fetchHistory();
    const started = events!.find((event) => event.timerStartedEventAttributes)!;
    const fired = events!.find((event) => event.timerFiredEventAttributes)!;
    expect(msOf(started.timerStartedEventAttributes!.startToFireTimeout!)).toBe(1_500);
    const [attempt] = await path.history(id);
    expect(attempt!.answer.started_at.getTime()).toBeGreaterThanOrEqual(Math.floor(msOf(fired.eventTime!)));
  });

  it('a retry before the start makes the attempt at once, and the history shows a caller asked for it', async () => {
    await path.endpoint(receiver.url, type, { retry_schedule: [3_600] });
    const { ref, id } = await path.promise(type);
    const caller = { accountId: path.accountId, now: await path.parts.stores.dispatch.now() };

    await retryDelivery({ ...path.parts, ...path.parts.stores }, caller, deliveryId(ref));

    await path.untilState(ref, 'delivered');
    expect(await path.history(id)).toMatchObject([{ number: 1, trigger: 'manual' }]);
    expect(receiver.requests).toHaveLength(1);
  });

  it('a missed start continues on its own schedule, after the rest of its delay', async () => {
    await path.endpoint(receiver.url, type, { retry_schedule: [30, 60, 90] });
    const { id, starts } = await path.promise(type);
    const event = await path.event(id);
    const [destination] = event.destinations;
    const later = (ms: number) => new Date(destination!.next_attempt_at!.getTime() + ms);

    const onTime = startOf({ event, destination: destination! }, later(-30_000));
    expect(starts[0]).toMatchObject(onTime);
    expect(startOf({ event, destination: destination! }, later(-10_000))).toMatchObject({
      firstAttempt: 1,
      firstDelayMs: 10_000,
      schedule: [30_000, 60_000, 90_000],
    });
    const failedOnce = { ...destination!, attempt_count: 1, next_attempt_at: later(5_000) };
    expect(startOf({ event, destination: failedOnce }, later(0))).toMatchObject({
      firstAttempt: 2,
      firstDelayMs: 5_000,
    });
  });

  it('without the option no schedule is stored', async () => {
    await path.endpoint(receiver.url, type);
    const { ref } = await path.promise(type);
    expect(await path.destination(ref)).not.toHaveProperty('schedule_ms');
  });
});

describe('honor_retry_after', () => {
  let retryAfter: string;
  const busy = useFixture('file', buildBusyReceiver, (it) => it.close());

  async function buildBusyReceiver() {
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(503, { 'Retry-After': retryAfter }).end());
    });
    const close = async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
    };
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, close };
  }

  async function delayAfterAnswer(header: string, options: { honor: boolean; scheduledMs: number | null }) {
    retryAfter = header;
    await path.endpoint(busy.url, type, { honor_retry_after: options.honor });
    const attempt = buildAttempt((await path.promise(type)).ref, { nextDelayMs: options.scheduledMs });
    const before = await path.parts.stores.dispatch.now();
    const outcome = await path.executor().attemptDelivery(attempt);
    const after = await path.parts.stores.dispatch.now();
    if (outcome.kind !== 'answered') throw new Error(`not answered: ${outcome.kind}`);
    return { attempt, outcome, before, after, destination: await path.destination(attempt) };
  }

  /** Holds the recorded time of the next attempt against the moments before and after the answer. */
  function expectNext({ before, after, destination }: Awaited<ReturnType<typeof delayAfterAnswer>>, inMs: number) {
    const at = destination.next_attempt_at!.getTime();
    expect(at).toBeGreaterThanOrEqual(before.getTime() + inMs);
    expect(at).toBeLessThanOrEqual(after.getTime() + inMs);
  }

  it("a wait longer than the schedule's is kept, in the workflow and in the record", async () => {
    const answered = await delayAfterAnswer('120', { honor: true, scheduledMs: 1_000 });
    expect(answered.outcome).toMatchObject({ nextDelayMs: 120_000 });
    expectNext(answered, 120_000);
  });

  it.each([
    ['the next attempt is never earlier than the schedule says', '5', true, 60_000],
    ['without the option the header is ignored', '120', false, 1_000],
  ])('%s', async (_title, header, honor, scheduledMs) => {
    const answered = await delayAfterAnswer(header, { honor, scheduledMs });
    expect(answered.outcome).not.toHaveProperty('nextDelayMs');
    expectNext(answered, scheduledMs);
  });

  it('a schedule that is used up gets no further attempt', async () => {
    const { outcome, destination } = await delayAfterAnswer('120', { honor: true, scheduledMs: null });
    expect(outcome).not.toHaveProperty('nextDelayMs');
    expect(destination).toMatchObject({ state: 'failed', next_attempt_at: null });
  });

  it('an attempt that Temporal forgot keeps the wait that the receiver requested', async () => {
    const { attempt, outcome } = await delayAfterAnswer('120', { honor: true, scheduledMs: 1_000 });
    expect(await path.executor().attemptDelivery(attempt)).toEqual(outcome);
  });
});

/** A duration or a moment of Temporal's. */
function msOf({ seconds, nanos }: { seconds?: unknown; nanos?: number | null }): number {
  return Number(seconds ?? 0) * 1_000 + (nanos ?? 0) / 1_000_000;
}

import { MAX_COUNTED_ATTEMPTS, NEWEST_ATTEMPTS } from '../../src/domain/attempt-history';
import { MAX_RUNS } from '../../src/domain/replay-contract';
import { useCaller } from '../support/build-caller';
import { useReceiver } from '../support/build-receiver';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';

// However many attempts an event has, an answer shows the newest, and a list has all of them.

const EVENTS = '/api/v1/webhooks/events';
const DELIVERIES = '/api/v1/webhooks/deliveries';

// The test copies answers, and a sealed one can only be opened in its place.
const stack = useStack({ env: { SEAL_PAYLOADS: 'off' } });
const api = useCaller(stack);
const receiver = useReceiver();

/** Ingests an event for some endpoints, and waits until it is delivered. */
async function sendTo(count: number) {
  const type = `history.${Math.random().toString(36).slice(2)}`;
  const urls = Array.from({ length: count }, (_, index) => `${receiver.url}/${index}`);
  for (const url of urls) await api.register({ url, events: [type] });
  const { id } = await api.ingest({ type });
  const { body } = await api.untilEvent(id, 'delivered');
  return { eventId: id as number, deliveryIds: body.deliveries.map((it: { id: string }) => it.id) as string[] };
}

/** Copies the attempt of a delivery, as earlier runs of it would have left it. A run has five attempts. */
async function addAttempts(deliveryId: string, count: number): Promise<void> {
  const attempts = stack.mongo.db.collection<{ _id: string; answer: { started_at: Date } }>('attempts');
  const made = (await attempts.findOne({ _id: `${deliveryId}/1/1` }))!;
  const copies = Array.from({ length: count }, (_, index) => {
    const [run, number] = [2 + Math.floor(index / 5), 1 + (index % 5)];
    // Later than the attempts of the event's other deliveries.
    const startedAt = new Date(made.answer.started_at.getTime() + (index + 1) * 60_000);
    return {
      ...made,
      _id: `${deliveryId}/${run}/${number}`,
      run,
      number,
      answer: { ...made.answer, started_at: startedAt },
    };
  });
  while (copies.length > 0) await attempts.insertMany(copies.splice(0, 5_000), { ordered: false });
}

/** All pages of a list of attempts. */
async function readAll(path: string, query = ''): Promise<{ run: number; number: number }[]> {
  const pages = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body }: Awaited<ReturnType<typeof api.get>> = await api.get(`${path}?limit=100${query}${cursor}`);
    pages.push(...body.attempts);
    cursor = body.next_cursor && `&cursor=${body.next_cursor}`;
    query = '';
  }
  return pages;
}

const places = (list: readonly { run: number; number: number }[]) => list.map(({ run, number }) => `${run}/${number}`);

it('a delivery shows its newest 100 attempts in order, how many there are, and where the others are', async () => {
  const { deliveryIds } = await sendTo(1);
  const id = deliveryIds[0]!;
  await addAttempts(id, 250);

  const { body } = await api.get(`${DELIVERIES}/${id}`);
  const all = await readAll(`${DELIVERIES}/${id}/attempts`);

  expect(body).toMatchObject({ attempts_total: 251, has_execution: expect.any(Boolean) });
  expect(all).toHaveLength(251);
  expect(places(all)).toEqual([
    ...Array.from({ length: 250 }, (_, index) => `${51 - Math.floor(index / 5)}/${5 - (index % 5)}`),
    '1/1',
  ]);
  expect(body.attempts).toEqual(all.slice(0, NEWEST_ATTEMPTS).toReversed());
  const others = await readAll(`${DELIVERIES}/${id}/attempts`, `&cursor=${body.attempts_cursor}`);
  expect(others).toEqual(all.slice(NEWEST_ATTEMPTS));
});

it('an event shows its newest 100 attempts over all deliveries, how many there are, and the URL of every last attempt', async () => {
  const { eventId, deliveryIds } = await sendTo(3);
  const [first, second] = deliveryIds as [string, string];
  await addAttempts(first, 120);
  await stack.mongo.db
    .collection<{ _id: string }>('attempts')
    .updateOne({ _id: `${second}/1/1` }, { $set: { 'answer.url': `${receiver.url}/moved` } });

  const { body } = await api.get(`${EVENTS}/${eventId}`);

  expect(body.attempts_total).toBe(123);
  const shown = body.deliveries.map(({ attempts }: { attempts: unknown[] }) => attempts.length);
  expect(shown).toEqual([NEWEST_ATTEMPTS, 0, 0]);
  expect(places(body.deliveries[0].attempts).at(-1)).toBe('25/5');
  const urls = body.deliveries.map(({ url }: { url: string }) => url);
  expect(urls[1]).toBe(`${receiver.url}/moved`);
});

it('an event and a delivery with few attempts show all of them', async () => {
  const { eventId, deliveryIds } = await sendTo(2);

  const { body: event } = await api.get(`${EVENTS}/${eventId}`);
  const { body: delivery } = await api.get(`${DELIVERIES}/${deliveryIds[0]}`);

  expect(event.attempts_total).toBe(2);
  expect(event.deliveries.map(({ attempts }: { attempts: unknown[] }) => attempts.length)).toEqual([1, 1]);
  expect(delivery).toMatchObject({ attempts_total: 1, attempts_cursor: null });
});

it('39,000 attempts make an event and a delivery no larger, and are counted up to a bound', async () => {
  const { eventId, deliveryIds } = await sendTo(2);
  await addAttempts(deliveryIds[0]!, 39_000);

  const event = await api.get(`${EVENTS}/${eventId}`);
  const delivery = await api.get(`${DELIVERIES}/${deliveryIds[0]}`);

  const totals = [event.body.attempts_total, delivery.body.attempts_total];
  expect(totals).toEqual([MAX_COUNTED_ATTEMPTS, MAX_COUNTED_ATTEMPTS]);
  expect(event.text.length).toBeLessThan(100_000);
  expect(delivery.text.length).toBeLessThan(300_000);
});

describe(`a delivery that has had ${MAX_RUNS} runs`, () => {
  /** Gives a delivery its run of this number, delivered. */
  async function setRun(deliveryId: string, run: number): Promise<void> {
    const [eventId, endpointId] = deliveryId.split('.');
    await stack.mongo.db
      .collection<{ _id: number }>('events')
      .updateOne(
        { _id: Number(eventId), 'destinations.endpoint_id': endpointId! },
        { $set: { 'destinations.$.run': run } },
      );
  }

  it('is not replayed again, alone or with its event', async () => {
    const { eventId, deliveryIds } = await sendTo(2);
    const [first, second] = deliveryIds as [string, string];
    await setRun(first, MAX_RUNS - 1);
    expect((await api.post(`${DELIVERIES}/${first}/replay`)).status).toBe(202);
    expect((await api.untilDelivery(first, 'delivered', MAX_RUNS)).run).toBe(MAX_RUNS);

    const alone = await api.post(`${DELIVERIES}/${first}/replay`);
    const together = await api.post(`${EVENTS}/${eventId}/replay`);
    await api.untilDelivery(second, 'delivered', 2);
    await setRun(second, MAX_RUNS);
    const none = await api.post(`${EVENTS}/${eventId}/replay`);

    expect([alone.status, alone.body.code]).toEqual([409, 'run_limit_reached']);
    expect(alone.body.error).toContain(`has had ${MAX_RUNS} runs`);
    expect(together.body).toMatchObject({
      deliveries: [{ id: second }],
      skipped: [{ id: first, code: 'run_limit_reached' }],
    });
    expect([none.status, none.body.code]).toEqual([409, 'nothing_to_replay']);
  });

  it('is skipped and counted by a bulk replay', async () => {
    const { deliveryIds } = await sendTo(3);
    await setRun(deliveryIds[0]!, MAX_RUNS);
    const { type } = (await api.get(`${EVENTS}/${deliveryIds[0]!.split('.')[0]}`)).body;

    const { body: job } = await api.post('/api/v1/webhooks/replays', { filter: { state: 'delivered', type } });
    const { body: ended } = await eventually(
      () => api.get(`/api/v1/webhooks/replays/${job.job_id}`),
      ({ body }) => body.state !== 'running',
    );

    expect(ended).toMatchObject({ matched: 3, replayed: 2, skipped: 1, at_run_limit: 1 });
    expect((await api.get(`${DELIVERIES}/${deliveryIds[0]}`)).body.run).toBe(MAX_RUNS);
  });
});

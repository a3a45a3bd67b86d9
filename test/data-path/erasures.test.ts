import { createErasure } from '../../src/erasures/erasure-jobs';
import { erasePage, type ErasePageDeps } from '../../src/erasures/erase-page';
import type { ErasureJob } from '../../src/erasures/erasure-store';
import { eraseLateAnswers } from '../../src/erasures/run-erasures';
import { createLogger } from '../../src/platform/logger';
import type { StoredAnswer } from '../../src/stores/attempt-store';
import { MAX_CLAIM_MS } from '../../src/domain/claim-lease';
import { buildAttempt, useDataPath } from '../support/build-data-path';
import { insertEvents } from '../support/build-events';
import { eventually } from '../support/eventually';

// An erasure leaves nothing of a value, and touches nothing else, whatever is killed and repeated.

const CANARY = 'canary-of-a-receiver';
const logger = createLogger('silent');
const path = useDataPath();
const ANSWER: StoredAnswer = {
  ...{ started_at: new Date(), latency_ms: 1, succeeded: true, status_code: 200, error_code: null, error: null },
  ...{ response_snippet: CANARY, url: 'https://example.com/hook', resends: 0, timings: {} },
  sent: { timestamp: 1, signature: 'x', standard_signature: 'x', user_agent: 'x' },
};
let lastId = 0;

const nextId = (): number => 6_000_000 + (lastId += 1);

/** Stores events with a search value, each with a delivered attempt that repeats what it got. @returns their ids */
async function stored(count: number, customer: string): Promise<number[]> {
  const ids = Array.from({ length: count }, nextId);
  const endpointId = await path.endpoint('https://example.com/hook', 'nothing');
  const delivered = { endpointId, state: 'delivered' as const };
  const search = [`customer_id:${customer}`];
  await insertEvents(
    path.mongo,
    ids.map((id) => ({ id, accountId: path.accountId, search, deliveries: [delivered] })),
  );
  await path.mongo.db.collection<{ _id: string }>('attempts').insertMany(
    ids.map((id) => ({
      ...{ _id: `${id}.${endpointId}/1/1`, event_id: id, endpoint_id: endpointId, run: 1, number: 1 },
      answer: { started_at: new Date(), succeeded: true, response_snippet: CANARY, response_headers: CANARY },
    })),
  );
  return ids;
}

async function newJob(customer: string): Promise<ErasureJob> {
  const now = await path.parts.stores.dispatch.now();
  const about = { accountId: path.accountId, now, searchFields: ['customer_id'] };
  return createErasure(path.parts.stores, about, `customer_id:${customer}`);
}

function pageDeps(deps: Partial<ErasePageDeps> = {}): ErasePageDeps {
  const { stores } = path.parts;
  return { ...stores, executions: { cancel: async () => true }, logger, ...deps };
}

const nothing = async (): Promise<void> => undefined;
const attemptsOf = (ids: readonly number[]) =>
  path.mongo.db
    .collection('attempts')
    .find({ event_id: { $in: ids } })
    .toArray();
const eventsOf = (ids: readonly number[]) => path.events.find({ _id: { $in: [...ids] } }).toArray();

it('a page repeated after a crash at any step erases everything, counts it once, and touches nothing else', async () => {
  const ids = await stored(250, 'cus_1');
  const others = await stored(3, 'cus_2');
  const job = await newJob('cus_1');
  const { erasures, erasedData } = path.parts.stores;
  // Each call of a store may be the last thing that a process does: before it is done, or after.
  let calls = 0;
  let deaths = 0;
  let next = 1;
  const mortal = async <T>(work: () => Promise<T>): Promise<T> => {
    calls += 1;
    if (calls !== next) return work();
    deaths += 1;
    next += 1 + deaths;
    if (calls % 2 === 0) await work();
    throw new Error('killed');
  };
  const deps = pageDeps({
    erasures: {
      ...erasures,
      beginPage: (...args) => mortal(() => erasures.beginPage(...args)),
      endPage: (...args) => mortal(() => erasures.endPage(...args)),
    },
    erasedData: {
      eraseEvents: (...args) => mortal(() => erasedData.eraseEvents(...args)),
      eraseAttempts: (...args) => mortal(() => erasedData.eraseAttempts(...args)),
    },
  });

  for (let isOver = false; !isOver;) isOver = !(await erasePage(deps, job._id, nothing).catch(() => true));

  expect(deaths).toBeGreaterThan(2);
  expect(await erasures.find(job._id)).toMatchObject({ state: 'completed', erased: 250, page: null });
  expect(await erasures.find(job._id)).not.toHaveProperty('search');
  const erased = await eventsOf(ids);
  expect(erased.filter((event) => event.data || event.search || !event.data_erased_at)).toEqual([]);
  expect(JSON.stringify(await attemptsOf(ids))).not.toContain(CANARY);
  const kept = await eventsOf(others);
  expect(kept.filter((event) => !event.data || !event.search || event.data_erased_at)).toEqual([]);
  expect((await attemptsOf(others)).every(({ answer }) => answer.response_snippet === CANARY)).toBe(true);
});

it('what a receiver answers after the erasure is erased too, once no answer can come any more', async () => {
  const [id = 0] = await stored(1, 'cus_3');
  const { erasedData, deliveries, dispatch } = path.parts.stores;
  await erasedData.eraseEvents(path.accountId, [id]);
  await erasedData.eraseAttempts([id], 1_000);
  const destinations = (await eventsOf([id]))[0]!.destinations;
  const ref = { eventId: id, endpointId: destinations[0]!.endpoint_id, run: 1 };
  // A request that was under way: its answer comes now.
  const { event } = (await deliveries.load(ref))!;
  await deliveries.record(buildAttempt(ref, { number: 2 }), ANSWER, { event, isNew: false });
  const shown = async (): Promise<string> => {
    const of = { accountId: path.accountId, eventId: id, endpointIds: [ref.endpointId] };
    return JSON.stringify(await path.parts.stores.histories.newest(of));
  };
  expect(await shown()).toContain(CANARY);

  const now = await dispatch.now();
  await erasedData.eraseLateAnswers(now, 1_000);
  expect(await shown()).toContain(CANARY);
  await erasedData.eraseLateAnswers(new Date(now.getTime() + MAX_CLAIM_MS + 1_000), 1_000);

  expect(await shown()).not.toContain(CANARY);
  expect(JSON.stringify(await attemptsOf([id]))).not.toContain('sealed');
  expect((await eventsOf([id]))[0]).not.toHaveProperty('erase_attempts_until');
});

it('a worker erases late answers by itself', async () => {
  const [id = 0] = await stored(1, 'cus_4');
  await path.parts.stores.erasedData.eraseEvents(path.accountId, [id]);
  await path.events.updateOne({ _id: id }, { $set: { erase_attempts_until: new Date(1) } });

  const work = eraseLateAnswers({ ...path.parts.stores, logger, owner: 'a worker' }, 50);

  await eventually(
    async () => (await eventsOf([id]))[0],
    (event) => !('erase_attempts_until' in event!),
  );
  await work.close();
  expect(JSON.stringify(await attemptsOf([id]))).not.toContain(CANARY);
});

it('an erased event is replayed by no bulk replay and gets no further destination', async () => {
  const [id = 0] = await stored(1, 'cus_5');
  const { erasedData, deliveries } = path.parts.stores;
  await erasedData.eraseEvents(path.accountId, [id]);
  const [before] = await eventsOf([id]);
  const [destination] = before!.destinations;
  const ref = { eventId: id, endpointId: destination!.endpoint_id, run: 1 };

  await deliveries.replayAll([ref], 'rpl_1');
  expect(await deliveries.replay(ref)).toBeNull();
  expect(await deliveries.add(id, { ...destination!, endpoint_id: 'ep_other' })).toBe(false);

  expect(await eventsOf([id])).toEqual([before]);
});

import { UNCHECKED } from '../../src/event-types/check-events';
import { ingestBatch, type IngestDeps } from '../../src/events/ingest-event';
import { UNCOUNTED_FILTERS } from '../../src/limits/filter-budget';
import { UNLIMITED_STORAGE } from '../../src/limits/storage-budget';
import type { Endpoint } from '../../src/stores/endpoint-store';

/** As much work for a filter as an event may cost. */
const values = Array.from({ length: 50 }, (_, index) => `value ${index}`);
const endpoint = { _id: 'ep_1', events: ['*'], options: { filter: JSON.stringify({ list: { $in: values } }) } };
const data = Buffer.from(JSON.stringify({ list: Array.from({ length: 1_300 }, () => 1) }));
/** More than a batch may have: on a fast machine, too, they take many turns. */
const EVENTS = 500;

const caller = {
  accountId: 'acc_1',
  endpointsVersion: 1,
  searchFields: [],
  defaultBody: undefined,
  eventTypes: undefined,
  retentionDays: undefined,
  now: new Date(),
};

/** Everything around the filters. @param onEvent called when an event is about to be matched or was */
function deps(onEvent: () => void): IngestDeps {
  let id = 0;
  return {
    endpointCache: { endpointsOf: async () => [endpoint as unknown as Endpoint] },
    eventIds: {
      next: async () => {
        onEvent();
        return (id += 1);
      },
    },
    idempotency: { reserve: async () => [], renew: async () => undefined },
    retentionMs: 1,
    budget: { take: async () => undefined },
    filterBudget: UNCOUNTED_FILTERS,
    storage: UNLIMITED_STORAGE,
    checkEvents: UNCHECKED,
    events: { insert: async (list: readonly unknown[]) => list.map(() => true) },
    dispatcher: { placeFor: () => ({ dispatch: 'due' }), dispatch: () => true },
  } as unknown as IngestDeps;
}

/** The turns of the event loop so far. */
function countTurns(): { readonly count: () => number; readonly stop: () => void } {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  return { count: () => turns, stop: () => clearImmediate(next) };
}

const items = Array.from({ length: EVENTS }, () => ({ type: 'order.created', data, idempotencyKey: null }));

it('other calls get their turns between the events of a batch whose filters take long', async () => {
  const turns = countTurns();
  const seen = new Set<number>();
  const results = await ingestBatch(
    deps(() => seen.add(turns.count())),
    caller,
    items,
  );
  turns.stop();

  expect(results).toHaveLength(EVENTS);
  expect(seen.size).toBeGreaterThan(2);
});

it('a batch whose client has left is not matched to its end', async () => {
  const client = new AbortController();
  let matched = 0;
  const leave = (): void => {
    matched += 1;
    setImmediate(() => client.abort(new Error('gone')));
  };
  await expect(ingestBatch(deps(leave), caller, items, client.signal)).rejects.toThrow('gone');

  expect(matched).toBeLessThan(EVENTS);
});

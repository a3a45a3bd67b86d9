import { Timestamp } from 'mongodb';
import {
  BEGINNING_OF_OVERDUE,
  newBacklogCursor,
  type DueDelivery,
  type OverduePlace,
} from '../../src/stores/dispatch-store';
import { sumUnfinished, type Destination, type StoredEvent } from '../../src/stores/event-store';
import { newId } from '../../src/platform/ids';
import { ACCEPTED_AT, buildEndpointId, insertEvents } from '../support/build-events';
import { useDataPath } from '../support/build-data-path';
import { watchReads, type Read } from '../support/watch-reads';

// The searches of background work, on events with several destinations: each finds all that there is, in its order, and
// reads little else. An index on an array has an entry for each destination, so an event stands in it several times.

const path = useDataPath();

/** Events, destinations of each event, accounts. */
type Shape = readonly [events: number, each: number, accounts: number];
const SHAPES = [
  [100, 1, 100],
  [2, 3, 1],
  [10, 10, 3],
  [50, 2, 5],
  [10, 100, 2],
] as const satisfies readonly Shape[];
const PAGES = [1, 64] as const;

/** How each destination differs: by the number of its event, and by its own. */
type Vary = (event: number, at: number) => Partial<Destination>;

const HELD = { dispatch: 'held', state: 'pending', next_attempt_at: null } as const;
const DUE = { dispatch: 'due', state: 'pending', next_attempt_at: new Date(ACCEPTED_AT * 1_000) } as const;
/** Of each event, some destinations wait and others are in another state. */
const everyThirdIsOver =
  (fields: Partial<Destination>): Vary =>
  (event, at) =>
    (event + at) % 3 === 2 ? {} : fields;

let stored: StoredEvent[];

async function store([events, each, accounts]: Shape, vary: Vary): Promise<void> {
  await path.clear();
  const accountIds = Array.from({ length: accounts }, () => newId('acc'));
  await insertEvents(
    path.mongo,
    Array.from({ length: events }, (_, index) => ({
      id: 6_000_000 + index,
      accountId: accountIds[index % accounts]!,
      acceptedAt: ACCEPTED_AT + Math.floor(index / 2),
      deliveries: Array.from({ length: each }, () => ({ endpointId: buildEndpointId(), state: 'delivered' as const })),
    })),
  );
  const found = await path.events.find().toArray();
  stored = found.map((event, index) => {
    const destinations = event.destinations.map((it, at) => ({ ...it, ...vary(index, at) }));
    return { ...event, destinations, unfinished: destinations.filter(({ state }) => state !== 'delivered').length };
  });
  await path.events.bulkWrite(
    stored.map((event) => ({ replaceOne: { filter: { _id: event._id }, replacement: event } })),
  );
}

/** All destinations, with their events. */
const all = (): { readonly event: StoredEvent; readonly destination: Destination }[] =>
  stored.flatMap((event) => event.destinations.map((destination) => ({ event, destination })));
const held = () => all().filter(({ destination }) => destination.dispatch === 'held');
const inOrderOfAcceptance = (one: StoredEvent, other: StoredEvent): number =>
  one.accepted_at.compare(other.accepted_at);
const names = (found: readonly DueDelivery[]): string[] =>
  found.map(({ event, destination }) => `${event._id}.${destination.endpoint_id}`);

/** Runs `work`, and expects an index for each of its queries, which read no more documents than `most` in all. */
async function reading<T>(most: number, work: () => Promise<T>): Promise<T> {
  let result: T;
  const reads: Read[] = await watchReads(path.mongo, async () => (result = await work()));
  expect(reads.filter(({ isScan, sorted }) => isScan || sorted > 100)).toEqual([]);
  expect(reads.reduce((sum, { documents }) => sum + documents, 0)).toBeLessThanOrEqual(most);
  return result!;
}

describe.each(SHAPES)('%s events to %s destinations each, of %s accounts', (...shape) => {
  describe('held deliveries', () => {
    beforeAll(() => store(shape, everyThirdIsOver(HELD)));

    it('every endpoint that holds is found, with one document for each', async () => {
      const wanted = held().map(({ destination }) => destination.endpoint_id);
      const found: string[] = [];
      await reading(wanted.length + 1, async () => {
        for (;;) {
          const next = await path.parts.stores.deliveries.endpointsThatHold(found.at(-1) ?? '', 7);
          found.push(...next);
          if (next.length < 7) break;
        }
      });
      expect(found).toEqual(wanted.toSorted());
    });

    it('the next delivery of each endpoint, and how many wait before a time', async () => {
      const { deliveries } = path.parts.stores;
      for (const { event, destination } of held().slice(0, 10)) {
        const endpointId = destination.endpoint_id;
        const later = new Timestamp({ t: event.accepted_at.t + 1, i: 0 });
        await reading(4, async () => {
          expect(await deliveries.nextHeld(endpointId, 64)).toEqual([
            { eventId: event._id, endpointId, run: 1, accountId: event.account_id },
          ]);
          expect(await deliveries.holdsAny(endpointId)).toBe(true);
          expect(await deliveries.countHeldBefore(endpointId, event.accepted_at, 10)).toBe(0);
          expect(await deliveries.countHeldBefore(endpointId, later, 10)).toBe(1);
        });
      }
      const over = all().filter(({ destination }) => destination.dispatch === 'done');
      for (const { destination } of over.slice(0, 10)) {
        await reading(0, async () => {
          expect(await deliveries.nextHeld(destination.endpoint_id, 64)).toEqual([]);
          expect(await deliveries.holdsAny(destination.endpoint_id)).toBe(false);
        });
      }
    });

    it('the first in the line of each endpoint, and how many deliveries of an account are unfinished', async () => {
      const { order, waiting } = path.parts.stores;
      for (const { event, destination } of held().slice(0, 10)) {
        const of = { accountId: event.account_id, endpointId: destination.endpoint_id };
        await reading(6, async () => {
          expect(await order.firstInLine(of)).toMatchObject({ eventId: event._id, waitMs: 0 });
          expect(await waiting.waitingFor(of)).toMatchObject({ groups: [{ kind: 'held', deliveries: 1 }] });
        });
        const own = stored.filter(({ account_id: id }) => id === event.account_id);
        const unfinished = own.reduce((sum, it) => sum + it.unfinished, 0);
        expect(await reading(0, () => sumUnfinished(path.events, event.account_id, 1_000))).toBe(unfinished);
      }
    });
  });

  it.each(PAGES)('everything that is due is found, by account and in order (in pages of %s)', async (page) => {
    await store(shape, everyThirdIsOver(DUE));
    const later = new Date((ACCEPTED_AT + 86_400) * 1_000);
    const place = newBacklogCursor();
    const found: DueDelivery[] = [];
    await reading(shape[0] * 40, async () => {
      // A round is over when it finds what it has found before.
      for (;;) {
        const next = await path.parts.stores.dispatch.findDue(later, later, page, place);
        const known = new Set(names(found));
        if (next.every((it) => known.has(names([it])[0]!)) && found.length > 0) break;
        found.push(...next);
      }
    });
    const wanted = all().filter(({ destination }) => destination.dispatch === 'due');
    expect(new Set(names(found))).toEqual(new Set(names(wanted)));
    for (const accountId of new Set(stored.map(({ account_id: id }) => id))) {
      const events = found.flatMap(({ event }) => (event.account_id === accountId ? [event as StoredEvent] : []));
      expect(events).toEqual(events.toSorted(inOrderOfAcceptance));
    }
  });

  it.each(PAGES)('everything overdue is found once, the longest overdue first (in pages of %s)', async (page) => {
    // Many have the same time, as after a bulk replay, and some are not overdue.
    const overdueAt: Vary = (event, at) => ({
      dispatch: 'done',
      state: 'retrying',
      next_attempt_at: new Date((ACCEPTED_AT + ((event + at) % 4) * 10) * 1_000),
    });
    await store(shape, overdueAt);
    const before = new Date((ACCEPTED_AT + 25) * 1_000);
    const found: DueDelivery[] = [];
    // An event is read again for each of its times.
    await reading(shape[0] * Math.min(shape[1], 3) + shape[0], async () => {
      for (let place: OverduePlace | null = BEGINNING_OF_OVERDUE; place;) {
        const part: { found: DueDelivery[]; next: OverduePlace | null } = await path.parts.stores.dispatch.findOverdue(
          place,
          before,
          page,
        );
        found.push(...part.found);
        place = part.next;
      }
    });
    const wanted = all().filter(({ destination }) => destination.next_attempt_at! < before);
    expect(new Set(names(found))).toEqual(new Set(names(wanted)));
    const earliest = [...new Set(found.map(({ event }) => event._id))].map((id) =>
      Math.min(
        ...wanted.flatMap(({ event, destination }) => (event._id === id ? [+destination.next_attempt_at!] : [])),
      ),
    );
    expect(earliest).toEqual(earliest.toSorted((one, other) => one - other));
  });
});

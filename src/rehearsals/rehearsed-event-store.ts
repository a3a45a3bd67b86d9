import type { Collection, Db, Filter } from 'mongodb';
import { EVENTS_COLLECTION, hasData, type StoredEvent, type WithData } from '../stores/event-store';
import { ACCOUNT_INDEX, startOfSecond, TYPE_INDEX } from '../stores/list-events-store';
import { rethrowNotReady } from '../platform/mongo-indexes';
import type { PayloadBox } from '../payloads/payload-box';
import { openEvent, WITH_DATA, type AtRest } from '../stores/sealed-event-store';
import type { RehearsedEvent } from './rehearsal-contract';

/** Selects the events of a rehearsal. */
export interface RehearsedSelection {
  readonly accountId: string;
  /** Only events of this type; undefined for all. */
  readonly type: string | undefined;
  /** Accepted at or after this time; to the second. */
  readonly after: Date | undefined;
  /** Accepted before this time; to the second. */
  readonly before: Date | undefined;
  /** The most events that are read. */
  readonly limit: number;
}

/** A page holds no more than what is decoded in a few milliseconds, because calls are answered meanwhile. */
const PAGE_EVENTS = 100;
const PAGE_BYTES = 512 * 1_024;

const READ = { ...WITH_DATA, type: 1, timestamp: 1, 'destinations.test': 1 } as const;

export type RehearsedEventStore = ReturnType<typeof createRehearsedEventStore>;

/** Reads the newest events with their data, by index. */
export function createRehearsedEventStore(db: Db, payloads: PayloadBox) {
  const events: Collection<AtRest<StoredEvent>> = db.collection(EVENTS_COLLECTION);
  return {
    /** Pages of events, the newest first. Left out are tests, because they go to one endpoint whatever its patterns are, and
     * events whose data was erased. */
    pages: (selection: RehearsedSelection): AsyncGenerator<readonly RehearsedEvent[]> =>
      readPages({ events, payloads }, selection),
  };
}

async function* readPages(
  { events, payloads }: { readonly events: Collection<AtRest<StoredEvent>>; readonly payloads: PayloadBox },
  { accountId, type, after, before, limit }: RehearsedSelection,
): AsyncGenerator<readonly RehearsedEvent[]> {
  const bounds: Filter<AtRest<StoredEvent>>[] = [
    ...(after ? [{ accepted_at: { $gte: startOfSecond(after) } }] : []),
    ...(before ? [{ accepted_at: { $lt: startOfSecond(before) } }] : []),
  ];
  const found = events
    .find(
      { account_id: accountId, ...(type !== undefined && { type }), ...(bounds.length > 0 && { $and: bounds }) },
      { projection: READ },
    )
    .sort({ accepted_at: -1, _id: -1 })
    .hint(type === undefined ? ACCOUNT_INDEX : TYPE_INDEX)
    .limit(limit)
    .batchSize(PAGE_EVENTS);
  let page: RehearsedEvent[] = [];
  let bytes = 0;
  try {
    for await (const event of found) {
      if (event.destinations.some(({ test }) => test)) continue;
      const opened = await openEvent<StoredEvent>(payloads, event);
      if (!hasData(opened)) continue;
      const read = rehearsed(opened);
      page.push(read);
      bytes += read.data.byteLength;
      if (page.length < PAGE_EVENTS && bytes < PAGE_BYTES) continue;
      yield page;
      page = [];
      bytes = 0;
    }
  } catch (error) {
    rethrowNotReady(error);
  }
  yield page;
}

/** With its own copy of the bytes: a thread would get all of the buffer that they are part of. */
function rehearsed({ _id: id, type, timestamp, data }: WithData<StoredEvent>): RehearsedEvent {
  return { id, type, timestamp, data: new Uint8Array(data.value()) };
}

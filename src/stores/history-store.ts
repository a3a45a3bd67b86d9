import type { Collection, Db, Filter } from 'mongodb';
import { MAX_COUNTED_ATTEMPTS, NEWEST_ATTEMPTS } from '../domain/attempt-history';
import type { ListPosition } from '../platform/cursor';
import type { PayloadBox } from '../payloads/payload-box';
import { dropIndex, rethrowNotReady } from '../platform/mongo-indexes';
import { ATTEMPTS_COLLECTION, type AnsweredAttempt, type AttemptAtRest } from './attempt-store';
import { openAttempts } from './sealed-answer-store';

/** An event, or one of its deliveries. */
export interface HistoryOf {
  readonly accountId: string;
  readonly eventId: number;
  /** All endpoints of the event, or the one of the delivery. */
  readonly endpointIds: readonly string[];
  /** Whether the attempts are shown inside the event, without their requests. */
  readonly isOfEvent?: boolean;
}

/** Part of a history. */
export interface History {
  /** The newest attempts, in the order they were made. */
  readonly attempts: readonly AnsweredAttempt[];
  /** How many attempts there are; counts up to `MAX_COUNTED_ATTEMPTS`. */
  readonly total: number;
  /** By endpoint: the URL of the last attempt. */
  readonly lastUrls: ReadonlyMap<string, string>;
}

/** The part of a delivery's list of attempts to read, newest first. */
interface HistoryRange {
  readonly limit: number;
  /** Continue after this position. */
  readonly from?: ListPosition | undefined;
}

/**
 * An event's attempts, by delivery, newest first. Merged over an event's deliveries, it gives the event's newest ones.
 * Its first field alone finds all attempts of an event, also those without an answer.
 */
const HISTORY_INDEX = { event_id: 1, endpoint_id: 1, 'answer.started_at': -1, run: -1, number: -1 } as const;
/** Of earlier versions: a prefix of `HISTORY_INDEX`. */
const OLD_INDEX = 'event_id_1';

const NEWEST_FIRST = { 'answer.started_at': -1, run: -1, number: -1 } as const;
const IS_ANSWERED = { 'answer.started_at': { $gt: new Date(0) } } as const;

/** What an event shows of an attempt: without the headers, of up to 2 KB each. */
const OF_EVENT = { 'answer.response_headers': 0, 'answer.sent': 0, 'answer.timings': 0 } as const;

export type HistoryStore = ReturnType<typeof createHistoryStore>;

/** Reads the answered attempts of one event. Every read is bounded, however many there are. */
export function createHistoryStore(db: Db, payloads: PayloadBox) {
  const attempts: Collection<AttemptAtRest> = db.collection(ATTEMPTS_COLLECTION);
  return {
    async ensureIndexes(): Promise<void> {
      await attempts.createIndexes([{ key: HISTORY_INDEX }]);
      await dropIndex(attempts, OLD_INDEX);
    },
    /** The newest attempts of an event or a delivery, and how many there are. */
    newest: (of: HistoryOf): Promise<History> => readNewest({ attempts, payloads }, of).catch(rethrowNotReady),
    /** A page of a delivery's attempts, newest first, and the position of its last one; null if nothing follows. */
    page: (
      { endpointId, ...of }: Omit<HistoryOf, 'endpointIds' | 'isOfEvent'> & { readonly endpointId: string },
      range: HistoryRange,
    ): Promise<{ readonly attempts: readonly AnsweredAttempt[]; readonly next: ListPosition | null }> =>
      readPage({ attempts, payloads }, { ...of, endpointIds: [endpointId] }, range).catch(rethrowNotReady),
  };
}

interface Reads {
  readonly attempts: Collection<AttemptAtRest>;
  readonly payloads: PayloadBox;
}

async function readNewest(reads: Reads, of: HistoryOf): Promise<History> {
  const { attempts } = reads;
  const { attempts: found, next } = await readPage(reads, of, { limit: NEWEST_ATTEMPTS });
  const inOrder = found.toSorted((one, other) => one.run - other.run || one.number - other.number);
  const lastUrls = new Map(inOrder.map(({ endpoint_id: id, answer }) => [id, answer.url]));
  if (!next) return { attempts: inOrder, total: found.length, lastUrls };
  const [total, allLastUrls] = await Promise.all([
    countAnswered(attempts, of),
    of.endpointIds.length === 1 ? lastUrls : findLastUrls(attempts, of),
  ]);
  return { attempts: inOrder, total: Math.max(total, found.length), lastUrls: allLastUrls };
}

async function readPage({ attempts, payloads }: Reads, of: HistoryOf, { limit, from }: HistoryRange) {
  // With a list of endpoints, MongoDB merges their parts of the index: it reads one entry of each, and then the page.
  const found = await attempts
    .find(
      { $and: [answeredOf(of), ...(from ? [behind(from)] : [])] },
      { hint: HISTORY_INDEX, projection: of.isOfEvent ? OF_EVENT : {} },
    )
    .sort(NEWEST_FIRST)
    .limit(limit + 1)
    .toArray();
  const page = await openAttempts<AnsweredAttempt>(payloads, of.accountId, found.slice(0, limit));
  return { attempts: page, next: found.length > limit ? positionOf(page.at(-1)!) : null };
}

function answeredOf({ eventId, endpointIds }: HistoryOf): Filter<AttemptAtRest> {
  return { event_id: eventId, endpoint_id: { $in: [...endpointIds] }, ...IS_ANSWERED };
}

/** Where the list of an attempt's delivery continues after it. */
export function positionOf({ answer, run, number }: AnsweredAttempt): ListPosition {
  return { createdAt: answer.started_at, id: `${run}/${number}` };
}

function behind({ createdAt, id }: ListPosition): Filter<AttemptAtRest> {
  const started = 'answer.started_at';
  const [run = 0, number = 0] = id.split('/').map(Number);
  const later = [{ run: { $lt: run } }, { run, number: { $lt: number } }];
  return {
    [started]: { $lte: createdAt },
    $or: [{ [started]: { $lt: createdAt } }, { [started]: createdAt, $or: later }],
  };
}

/**
 * Counts by the command `count`, which reads a range of the index five times faster than `countDocuments` does. The
 * attempts of an event are one range only together with those that have no answer yet: one for each delivery at most.
 */
async function countAnswered(
  attempts: Collection<AttemptAtRest>,
  { eventId, endpointIds }: HistoryOf,
): Promise<number> {
  const count = async (query: Filter<AttemptAtRest>): Promise<number> => {
    const command = { count: ATTEMPTS_COLLECTION, query, limit: MAX_COUNTED_ATTEMPTS, hint: HISTORY_INDEX };
    return ((await attempts.db.command(command)) as { readonly n: number }).n;
  };
  const [only, ...others] = endpointIds;
  if (others.length === 0) return count({ event_id: eventId, endpoint_id: only!, ...IS_ANSWERED });
  const isUnderWay = { event_id: eventId, endpoint_id: { $in: [...endpointIds] }, 'answer.started_at': null };
  const [all, underWay] = await Promise.all([count({ event_id: eventId }), count(isUnderWay as Filter<AttemptAtRest>)]);
  return all - underWay;
}

/** The URL of the last attempt of each delivery. MongoDB reads one entry of the index for each (DISTINCT_SCAN). */
async function findLastUrls(attempts: Collection<AttemptAtRest>, of: HistoryOf): Promise<ReadonlyMap<string, string>> {
  const found = await attempts
    .aggregate<{ _id: string; url: string }>(
      [
        { $match: { event_id: of.eventId, endpoint_id: { $in: [...of.endpointIds] } } },
        { $sort: { endpoint_id: 1, ...NEWEST_FIRST } },
        { $group: { _id: '$endpoint_id', url: { $first: '$answer.url' } } },
        { $limit: of.endpointIds.length },
      ],
      { hint: HISTORY_INDEX },
    )
    .toArray();
  return new Map(found.filter(({ url }) => url).map(({ _id, url }) => [_id, url]));
}

import type { Collection, Db, Document } from 'mongodb';
import type { FailureKind } from '../domain/failure-causes';
import { rethrowNotReady } from '../platform/mongo-indexes';
import type { PayloadBox } from '../payloads/payload-box';
import type { ListPosition } from '../platform/cursor';
import {
  ATTEMPTS_COLLECTION,
  type AnswerAtRest,
  type AnsweredAttempt,
  type AttemptAtRest,
  type StoredAnswer,
} from './attempt-store';
import { openAttempts, WITH_SNIPPET } from './sealed-answer-store';

/** An answered attempt as lists show it. */
export type ListedAttempt = Pick<AnsweredAttempt, '_id' | 'event_id' | 'endpoint_id' | 'run' | 'number' | 'trigger'> & {
  readonly answer: Pick<
    StoredAnswer,
    'started_at' | 'latency_ms' | 'succeeded' | 'status_code' | 'error_code' | 'error' | 'response_snippet' | 'warning'
  >;
};

/** Selects attempts to an endpoint. Absent fields select everything. */
interface AttemptFilter {
  /** Whose endpoint it is. */
  readonly accountId: string;
  readonly endpointId: string;
  readonly succeeded?: boolean | undefined;
  /** Only attempts that failed with it. */
  readonly cause?: { readonly [Field in keyof FailureKind]?: FailureKind[Field] | undefined } | undefined;
  /** Started at or after this time. */
  readonly after?: Date | undefined;
  /** Started before this time. */
  readonly before?: Date | undefined;
}

/** The part of a list of attempts to read. */
interface AttemptRange {
  readonly limit: number;
  /** Continue after this position: the start and the id of an attempt. */
  readonly from?: ListPosition | undefined;
}

/** A page of attempts. */
interface AttemptPage {
  readonly attempts: readonly ListedAttempt[];
  /** The last position that was read; null if nothing follows it. A short page may have more after it. */
  readonly next: ListPosition | null;
}

/** For answered attempts, by endpoint: an attempt enters it once, with its answer. */
const ANSWERED_INDEX = { endpoint_id: 1, 'answer.started_at': -1, _id: -1 } as const;

/** The most attempts that are read for a page. */
const MAX_EXAMINED = 5_000;

export type AttemptListStore = ReturnType<typeof createAttemptListStore>;

/**
 * Lists the answered attempts to an endpoint, newest first.
 *
 * @param maxExamined only tests change it
 */
export function createAttemptListStore(db: Db, payloads: PayloadBox, maxExamined = MAX_EXAMINED) {
  const attempts: Collection<AttemptAtRest> = db.collection(ATTEMPTS_COLLECTION);
  return {
    async ensureIndexes(): Promise<void> {
      await attempts.createIndexes([
        { key: ANSWERED_INDEX, partialFilterExpression: { 'answer.started_at': { $gt: new Date(0) } } },
      ]);
    },
    /** The index has no outcomes. A page of certain outcomes reads at most `maxExamined` attempts to find them. */
    async page(filter: AttemptFilter, range: AttemptRange): Promise<AttemptPage> {
      const { attempts: page, next } = await readPage(attempts, filter, range, maxExamined).catch(rethrowNotReady);
      return { attempts: await openAttempts<ListedAttempt>(payloads, filter.accountId, page), next };
    },
  };
}

/** A listed attempt before it is opened. */
type FoundAttempt = AttemptAtRest & { readonly answer: AnswerAtRest };

async function readPage(
  attempts: Collection<AttemptAtRest>,
  filter: AttemptFilter,
  { limit, from }: AttemptRange,
  maxExamined: number,
): Promise<{ readonly attempts: readonly FoundAttempt[]; readonly next: ListPosition | null }> {
  const lookAt = [{ $match: placesOf(filter, from) }, { $sort: { 'answer.started_at': -1, _id: -1 } }];
  const outcome = outcomeOf(filter);
  const options = { hint: ANSWERED_INDEX };
  const found = await attempts
    .aggregate<FoundAttempt>(
      [
        ...lookAt,
        ...(outcome ? [{ $limit: maxExamined }, { $match: outcome }] : []),
        { $limit: limit + 1 },
        { $project: LISTED },
      ],
      options,
    )
    .toArray();
  const page = found.slice(0, limit);
  if (found.length > limit) return { attempts: page, next: positionOf(page.at(-1)!) };
  if (!outcome) return { attempts: page, next: null };
  const [last] = await attempts
    .aggregate<FoundAttempt>([...lookAt, { $skip: maxExamined - 1 }, { $limit: 1 }, { $project: LISTED }], options)
    .toArray();
  return { attempts: page, next: last ? positionOf(last) : null };
}

const LISTED = {
  event_id: 1,
  endpoint_id: 1,
  run: 1,
  number: 1,
  trigger: 1,
  answer: {
    started_at: 1,
    latency_ms: 1,
    succeeded: 1,
    status_code: 1,
    error_code: 1,
    error: 1,
    ...WITH_SNIPPET,
    warning: 1,
  },
};

function positionOf({ _id, answer }: FoundAttempt): ListPosition {
  return { createdAt: answer.started_at, id: _id };
}

/** The part of the index to read. The first condition lets MongoDB use it, because it is partial. */
function placesOf({ endpointId, after, before }: AttemptFilter, from: ListPosition | undefined): Document {
  const started = 'answer.started_at';
  return {
    endpoint_id: endpointId,
    $and: [
      { [started]: { $gt: new Date(0) } },
      ...(after ? [{ [started]: { $gte: after } }] : []),
      ...(before ? [{ [started]: { $lt: before } }] : []),
      ...(from
        ? [
            { [started]: { $lte: from.createdAt } },
            { $or: [{ [started]: { $lt: from.createdAt } }, { [started]: from.createdAt, _id: { $lt: from.id } }] },
          ]
        : []),
    ],
  };
}

/** The conditions that the index does not answer; undefined if there are none. */
function outcomeOf({ succeeded, cause }: AttemptFilter): Document | undefined {
  const failed = [{ 'answer.succeeded': false }, { 'answer.error_code': cause?.code }];
  const conditions = [
    ...(succeeded === undefined ? [] : [{ 'answer.succeeded': succeeded }]),
    ...(cause?.code === undefined ? [] : failed),
    ...(cause?.statusCode === undefined ? [] : [{ 'answer.status_code': cause.statusCode }]),
  ];
  return conditions.length === 0 ? undefined : { $and: conditions };
}

import type { AttemptInput, DeliveryRef, HeldReason } from '../domain/delivery-contract';
import { UNFINISHED_STATES } from '../domain/delivery-state';
import { MAX_RUNS } from '../domain/replay-contract';
import { MAX_CLAIM_MS } from '../domain/claim-lease';
import type { Destination } from './event-store';

// An update changes deliveries of many events alike: that costs mongod a third of one update for each.

/** An aggregation expression of MongoDB. */
type Expression = Record<string, unknown>;

/** An answered attempt, without its delivery. */
export type AnsweredMove = Pick<AttemptInput, 'number' | 'nextDelayMs'> & {
  readonly succeeded: boolean;
  /** A delivery that fails now stays due until `settledUpdate`: no execution repeats what follows from its answer. */
  readonly staysDue?: boolean;
};

const IS_UNFINISHED: Expression = { $in: ['$$it.state', UNFINISHED_STATES] };
const NOT_HELD: Expression = { held_for: null, held_at: null };
const OVER: Expression = { ...NOT_HELD, dispatch: 'done', next_attempt_at: null };
const CANCELLED: Expression = { ...OVER, state: 'cancelled', completed_at: '$$NOW' };
/** What of an event holds its data, or tells something of it. */
const ERASED_FIELDS = [
  ...['data', 'sealed_data', 'search', 'payload_hash'],
  ...['schema_errors', 'sealed_schema_errors'],
] as const;
/** When the answers of requests that are under way now are recorded, and what their receivers sent after the status. */
const LATE_ANSWERS_END: Expression = { $add: ['$$NOW', MAX_CLAIM_MS] };
/** The execution that gives a delivery back ends within this time: a new one with the same id can't start before. */
export const GIVE_BACK_MS = 1_000;

/**
 * The update after an answered attempt. It can be repeated at any later time:
 *
 * - a 2xx always delivers, even if a cancel came during the request;
 * - a failure counts once, and never changes a finished delivery;
 * - times come from the database's clock.
 */
export function answerUpdate(
  refs: readonly DeliveryRef[],
  { number, nextDelayMs, succeeded, staysDue = false }: AnsweredMove,
): Expression[] {
  const counted = { attempt_count: { $max: ['$$it.attempt_count', number] }, claimed_until: null, look_at: null };
  const finish = (state: string): Expression => ({
    ...counted,
    ...OVER,
    state,
    completed_at: { $cond: [{ $eq: ['$$it.state', state] }, '$$it.completed_at', '$$NOW'] },
  });
  const isNews = { $and: [IS_UNFINISHED, { $lt: ['$$it.attempt_count', number] }] };
  const failure =
    nextDelayMs === null
      ? { ...finish('failed'), ...(staysDue && { dispatch: 'due', claimed_until: '$$it.claimed_until' }) }
      : {
          ...counted,
          state: 'retrying',
          next_attempt_at: { $add: ['$$NOW', nextDelayMs] },
          // An execution that was started meanwhile made the attempt, and makes the next one.
          dispatch: { $cond: [{ $eq: ['$$it.dispatch', 'held'] }, 'done', '$$it.dispatch'] },
          ...NOT_HELD,
        };
  return [
    ...changeDestinations(refs, succeeded ? finish('delivered') : { $cond: [isNews, failure, counted] }),
    // What the receiver sent is in the history now: if the event's data was erased meanwhile, it must go from there.
    { $set: { erase_attempts_until: { $cond: [{ $gt: ['$data_erased_at', null] }, LATE_ANSWERS_END, '$$REMOVE'] } } },
  ];
}

/** The update of a failed delivery that stayed due, after everything that followed from its last answer was done. */
export function settledUpdate(ref: DeliveryRef): Expression[] {
  const isFailed = { $eq: ['$$it.state', 'failed'] };
  return changeDestinations([ref], { $cond: [isFailed, { dispatch: 'done', claimed_until: null }, {}] });
}

/**
 * The update after the start of an execution, for a delivery that is due.
 *
 * @param givenBack the `look_at` that the destination had before the start; null if an execution never gave it back
 */
export function startedUpdate(refs: readonly DeliveryRef[], givenBack: Date | null): Expression[] {
  const isSame = { $eq: [{ $ifNull: ['$$it.look_at', null] }, givenBack] };
  const isDue = { $and: [{ $eq: ['$$it.dispatch', 'due'] }, isSame] };
  return changeDestinations(refs, { $cond: [isDue, { dispatch: 'done' }, {}] });
}

/** The update that releases a process's claims from the events' inserts. */
export function releasePromisesUpdate(refs: readonly DeliveryRef[]): Expression[] {
  return changeDestinations(refs, { claimed_until: null });
}

/** The update that makes an unfinished delivery wait for its endpoint's gate. */
export function holdUpdate(refs: readonly DeliveryRef[], reason: HeldReason): Expression[] {
  const held = {
    dispatch: 'held',
    held_for: reason,
    // A delivery that is held again by a second attempt keeps the time of the first.
    held_at: { $cond: [{ $eq: ['$$it.dispatch', 'held'] }, '$$it.held_at', '$$NOW'] },
    look_at: { $add: ['$$NOW', GIVE_BACK_MS] },
    next_attempt_at: null,
    claimed_until: null,
  };
  return changeDestinations(refs, { $cond: [IS_UNFINISHED, held, {}] });
}

/**
 * The update that releases a held delivery: its next attempt is due. Of two processes that do it at once, one succeeds.
 *
 * @param leaseMs how long `owner` has to make the attempt itself; 0 leaves it to an execution
 */
export function releaseHeldUpdate(refs: readonly DeliveryRef[], owner: string, leaseMs: number): Expression[] {
  const due = {
    ...NOT_HELD,
    dispatch: 'due',
    next_attempt_at: '$$NOW',
    claimed_by: { $literal: owner },
    claimed_until: leaseMs > 0 ? { $add: ['$$NOW', leaseMs] } : null,
  };
  return changeDestinations(refs, { $cond: [{ $eq: ['$$it.dispatch', 'held'] }, due, {}] });
}

/** The update that cancels an unfinished delivery. */
export function cancelUpdate(ref: DeliveryRef): Expression[] {
  return changeDestinations([ref], { $cond: [IS_UNFINISHED, CANCELLED, {}] });
}

/** The update that cancels every unfinished delivery of an event to one endpoint, in any run. */
export function cancelAnyRunUpdate(endpointId: string): Expression[] {
  return changeWhere(
    { $eq: ['$$it.endpoint_id', { $literal: endpointId }] },
    { $cond: [IS_UNFINISHED, CANCELLED, {}] },
  );
}

/**
 * The update that erases the data of an event, and all that was derived from it. Unfinished deliveries are cancelled in
 * the same write, so none can find an event without data.
 */
export function eraseUpdate(): Expression[] {
  return [
    { $unset: [...ERASED_FIELDS] },
    { $set: { data_erased_at: '$$NOW', erase_attempts_until: LATE_ANSWERS_END } },
    ...changeWhere(IS_UNFINISHED, CANCELLED),
  ];
}

/**
 * The update that sends a finished delivery again: run + 1 with a full schedule, unless it has had `MAX_RUNS`, or
 * its event's data was erased. Of two concurrent replays one comes too late.
 *
 * @param jobId the bulk replay that does it, if any
 */
export function replayUpdate(refs: readonly DeliveryRef[], jobId: string | null): Expression[] {
  const before = { $ifNull: ['$$it.replayed_from', 'cancelled'] };
  const fresh = {
    replayed_from: { $cond: [{ $eq: ['$$it.state', 'cancelled'] }, before, '$$it.state'] },
    run: { $add: ['$$it.run', 1] },
    state: 'pending',
    attempt_count: 0,
    next_attempt_at: '$$NOW',
    completed_at: null,
    dispatch: 'due',
    look_at: null,
    claimed_by: null,
    claimed_until: null,
    replay_job: { $literal: jobId },
  };
  const mayRun = { $and: [{ $not: IS_UNFINISHED }, { $lt: ['$$it.run', MAX_RUNS] }, { $not: ['$data_erased_at'] }] };
  return changeDestinations(refs, { $cond: [mayRun, fresh, {}] });
}

/** The update that gives an event one more destination. */
export function addDestinationUpdate(destination: Destination): Expression[] {
  return replaceDestinations({ $concatArrays: ['$destinations', [{ $literal: destination }]] });
}

function changeDestinations(refs: readonly DeliveryRef[], fields: Expression): Expression[] {
  const those = refs.map(({ eventId, endpointId, run }) => [eventId, endpointId, run]);
  return changeWhere({ $in: [['$_id', '$$it.endpoint_id', '$$it.run'], { $literal: those }] }, fields);
}

function changeWhere(isIt: Expression, fields: Expression): Expression[] {
  const changed = { $cond: [isIt, { $mergeObjects: ['$$it', fields] }, '$$it'] };
  return replaceDestinations({ $map: { input: '$destinations', as: 'it', in: changed } });
}

/** When an event expires, after `unfinished` and `finished_at` are set: absent while it is not finished. */
export const EXPIRES_AT: Expression = {
  $cond: [{ $gt: ['$unfinished', 0] }, '$$REMOVE', { $add: ['$finished_at', '$retention_ms'] }],
};

/** Stores the destinations, how many of them are unfinished, when the last one finished, and when the event expires. */
function replaceDestinations(destinations: Expression): Expression[] {
  return [
    { $set: { destinations } },
    { $set: { unfinished: { $size: { $filter: { input: '$destinations', as: 'it', cond: IS_UNFINISHED } } } } },
    {
      $set: {
        finished_at: { $cond: [{ $gt: ['$unfinished', 0] }, null, { $ifNull: ['$finished_at', '$$NOW'] }] },
      },
    },
    { $set: { expires_at: EXPIRES_AT } },
  ];
}

import type { AttemptInput, DeliveryRef } from '../domain/delivery-contract';

/** An aggregation expression of MongoDB. */
type Expression = Record<string, unknown>;

const IS_UNFINISHED: Expression = { $in: ['$$it.state', ['pending', 'retrying']] };
const CANCELLED: Expression = { state: 'cancelled', next_attempt_at: null, completed_at: '$$NOW', started: true };

/**
 * The update that moves a delivery after an answered attempt. It may be applied again at any later time:
 *
 * - a 2xx always delivers, also when a cancel came while it was under way;
 * - a failure counts once, and never moves a finished delivery;
 * - times come from the database's clock.
 */
export function answerUpdate(input: AttemptInput, succeeded: boolean): Expression[] {
  const counted = { attempt_count: { $max: ['$$it.attempt_count', input.number] }, claimed_until: null };
  const finish = (state: string): Expression => ({
    ...counted,
    state,
    started: true,
    next_attempt_at: null,
    completed_at: { $cond: [{ $eq: ['$$it.state', state] }, '$$it.completed_at', '$$NOW'] },
  });
  const isNews = { $and: [IS_UNFINISHED, { $lt: ['$$it.attempt_count', input.number] }] };
  const failure =
    input.nextDelayMs === null
      ? finish('failed')
      : { ...counted, state: 'retrying', next_attempt_at: { $add: ['$$NOW', input.nextDelayMs] } };
  return changeDestination(input, succeeded ? finish('delivered') : { $cond: [isNews, failure, counted] });
}

/** The update that ends an unfinished delivery as cancelled. */
export function cancelUpdate(ref: DeliveryRef): Expression[] {
  return changeDestination(ref, { $cond: [IS_UNFINISHED, CANCELLED, {}] });
}

/** The update that ends every unfinished delivery of an event to one endpoint as cancelled, whatever its run. */
export function cancelAnyRunUpdate(endpointId: string): Expression[] {
  return changeWhere(isTo(endpointId), { $cond: [IS_UNFINISHED, CANCELLED, {}] });
}

/**
 * The update that sends a finished delivery again: run + 1 with all its attempts ahead. To be used with a filter on
 * the finished run, so that of two replays at once one comes too late.
 *
 * @param jobId the bulk replay that does it, if one does
 */
export function replayUpdate(ref: DeliveryRef, jobId: string | null): Expression[] {
  const fresh = {
    run: ref.run + 1,
    state: 'pending',
    attempt_count: 0,
    next_attempt_at: '$$NOW',
    completed_at: null,
    started: false,
    claimed_by: null,
    claimed_until: null,
    replay_job: { $literal: jobId },
  };
  return changeDestination(ref, { $cond: [{ $not: IS_UNFINISHED }, fresh, {}] });
}

/** Lays `fields` over the run's destination, and notes when the event's last destination finished. */
function changeDestination({ endpointId, run }: DeliveryRef, fields: Expression): Expression[] {
  return changeWhere({ $and: [isTo(endpointId), { $eq: ['$$it.run', run] }] }, fields);
}

function isTo(endpointId: string): Expression {
  return { $eq: ['$$it.endpoint_id', { $literal: endpointId }] };
}

function changeWhere(isIt: Expression, fields: Expression): Expression[] {
  return [
    {
      $set: {
        destinations: {
          $map: {
            input: '$destinations',
            as: 'it',
            in: { $cond: [isIt, { $mergeObjects: ['$$it', fields] }, '$$it'] },
          },
        },
      },
    },
    {
      $set: {
        finished_at: {
          $cond: [
            { $anyElementTrue: { $map: { input: '$destinations', as: 'it', in: IS_UNFINISHED } } },
            null,
            { $ifNull: ['$finished_at', '$$NOW'] },
          ],
        },
      },
    },
  ];
}

import type { AttemptInput, DeliveryRef } from '../domain/delivery-contract';

/** An aggregation expression of MongoDB. */
type Expression = Record<string, unknown>;

const IS_UNFINISHED: Expression = { $in: ['$$it.state', ['pending', 'retrying']] };

/**
 * The update that moves a delivery after an answered attempt. It may be applied again at any later time:
 *
 * - a 2xx always delivers, also when a cancel came while it was under way;
 * - a failure counts once, and never moves a finished delivery;
 * - times come from the database's clock.
 */
export function answerUpdate(input: AttemptInput, succeeded: boolean): Expression[] {
  const counted = { attempt_count: { $max: ['$$it.attempt_count', input.number] } };
  const finish = (state: string): Expression => ({
    ...counted,
    state,
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
  const cancelled = { state: 'cancelled', next_attempt_at: null, completed_at: '$$NOW' };
  return changeDestination(ref, { $cond: [IS_UNFINISHED, cancelled, {}] });
}

/** Lays `fields` over the run's destination, and notes when the event's last destination finished. */
function changeDestination({ endpointId, run }: DeliveryRef, fields: Expression): Expression[] {
  const isIt = { $and: [{ $eq: ['$$it.endpoint_id', { $literal: endpointId }] }, { $eq: ['$$it.run', run] }] };
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

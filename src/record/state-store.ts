import type { AnyBulkWriteOperation, Collection, WriteConcern } from 'mongodb';
import type { AttemptInput, DeliveryRef, HeldReason } from '../domain/delivery-contract';
import { setInRun, type StoredEvent } from './event-store';
import { DURABLE, FAST } from '../platform/mongo';
import { createWriteGroup, type WriteGroup } from '../platform/write-groups';
import { answerUpdate, holdUpdate } from './state-updates';

/** Nobody waits for a start mark but the start queue's slot. */
const START_MARK_LINGER_MS = 50;
type Move = { readonly input: AttemptInput; readonly succeeded: boolean };
type Hold = { readonly ref: DeliveryRef; readonly reason: HeldReason };

/** Moves of deliveries by their answers, written together. */
export function groupedMoves(events: Collection<StoredEvent>): WriteGroup<Move, void> {
  return groupedUpdates<Move>(
    events,
    ({ input, succeeded }) => ({
      updateOne: { filter: { _id: input.eventId }, update: answerUpdate(input, succeeded) },
    }),
    { writeConcern: DURABLE },
  );
}

/** Start marks, written together. One that is lost costs one more start, which the workflow id turns away. */
export function groupedStarts(events: Collection<StoredEvent>): WriteGroup<DeliveryRef, void> {
  return groupedUpdates<DeliveryRef>(events, (ref) => setInRun(ref, { dispatch: 'done' }, { dispatch: 'due' }), {
    writeConcern: FAST,
    maxInFlight: 1,
    lingerMs: START_MARK_LINGER_MS,
  });
}

/** Holds, written together. One that is lost leaves an unfinished delivery without an execution, which the sweeper finds. */
export function groupedHolds(events: Collection<StoredEvent>): WriteGroup<Hold, void> {
  return groupedUpdates<Hold>(
    events,
    ({ ref, reason }) => ({ updateOne: { filter: { _id: ref.eventId }, update: holdUpdate(ref, reason) } }),
    { writeConcern: FAST },
  );
}

function groupedUpdates<Item>(
  events: Collection<StoredEvent>,
  toUpdate: (item: Item) => AnyBulkWriteOperation<StoredEvent>,
  options: { readonly writeConcern: WriteConcern; readonly maxInFlight?: number; readonly lingerMs?: number },
): WriteGroup<Item, void> {
  const { writeConcern, ...group } = options;
  return createWriteGroup(
    async (items) => {
      await events.bulkWrite(items.map(toUpdate), { ordered: false, writeConcern });
      return items.map(() => ({ value: undefined }));
    },
    { maxItems: 200, maxInFlight: 2, ...group },
  );
}

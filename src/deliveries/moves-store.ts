import type { Collection } from 'mongodb';
import type { AttemptInput, DeliveryRef, HeldReason } from '../domain/delivery-contract';
import { setInRun, type StoredEvent } from '../events/store';
import { DURABLE, FAST } from '../platform/mongo';
import { createWriteGroup, type WriteGroup } from '../platform/write-groups';
import { answerUpdate, holdUpdate } from './state-updates';

/** Nobody waits for a start mark but the start queue's slot. */
const START_MARK_LINGER_MS = 50;
type Move = { readonly input: AttemptInput; readonly succeeded: boolean };

/** Moves of deliveries by their answers, written together. */
export function groupedMoves(events: Collection<StoredEvent>): WriteGroup<Move, void> {
  return createWriteGroup(
    async (items) => {
      const updates = items.map(({ input, succeeded }) => ({
        updateOne: { filter: { _id: input.eventId }, update: answerUpdate(input, succeeded) },
      }));
      await events.bulkWrite(updates, { ordered: false, writeConcern: DURABLE });
      return items.map(() => ({ value: undefined }));
    },
    { maxItems: 200, maxInFlight: 2 },
  );
}

/** Start marks, written together. */
export function groupedStarts(events: Collection<StoredEvent>): WriteGroup<DeliveryRef, void> {
  return createWriteGroup(
    async (refs) => {
      const updates = refs.map((ref) => setInRun(ref, { dispatch: 'done' }, { dispatch: 'due' }));
      // A mark that is lost costs one more start, which the workflow id turns away.
      await events.bulkWrite(updates, { ordered: false, writeConcern: FAST });
      return refs.map(() => ({ value: undefined }));
    },
    { maxItems: 200, maxInFlight: 1, lingerMs: START_MARK_LINGER_MS },
  );
}

type Hold = { readonly ref: DeliveryRef; readonly reason: HeldReason };

/** Holds, written together. */
export function groupedHolds(events: Collection<StoredEvent>): WriteGroup<Hold, void> {
  return createWriteGroup(
    async (items) => {
      const updates = items.map(({ ref, reason }) => ({
        updateOne: { filter: { _id: ref.eventId }, update: holdUpdate(ref, reason) },
      }));
      // One that is lost leaves an unfinished delivery without an execution, which the sweeper finds.
      await events.bulkWrite(updates, { ordered: false, writeConcern: FAST });
      return items.map(() => ({ value: undefined }));
    },
    { maxItems: 200, maxInFlight: 2 },
  );
}

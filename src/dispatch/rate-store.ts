import type { Collection, Db } from 'mongodb';
import { FAST, isDuplicateKey } from '../platform/mongo';

/** A turn in an endpoint's rate. */
export type Turn =
  /** Send in that moment: it is nobody else's. */
  | (Moment & { readonly kind: 'go' })
  /** Ask again in that moment, with it as the place. */
  | (Moment & { readonly kind: 'wait' });

interface Moment {
  /** Unix milliseconds by the database's clock. */
  readonly atMs: number;
  /** From now. */
  readonly inMs: number;
}

/** Spaces the requests to an endpoint, over all processes. */
export interface RateStore {
  ensureIndexes(): Promise<void>;
  /**
   * Asks for the next turn to send to an endpoint.
   *
   * @param ask `perSecond` turns in a second; `placeAtMs` is the place that an earlier call gave, if one did;
   *   `patienceMs` is how long the caller would wait for its turn without giving way
   */
  takeTurn(
    endpointId: string,
    ask: { readonly perSecond: number; readonly placeAtMs?: number | undefined; readonly patienceMs: number },
  ): Promise<Turn>;
}

/** Times in Unix milliseconds, with fractions: a thousand turns a second are not a whole number apart at every rate. */
interface Rate {
  readonly _id: string;
  /** When the next turn is: the theoretical arrival time of the generic cell rate algorithm. */
  readonly next_turn: number;
  /** When the next place in the queue is. */
  readonly next_place: number;
  /** What the last call was told. */
  readonly told: { readonly goes: boolean; readonly at: number; readonly now: number };
  readonly touched_at: Date;
}

/** A rate that nobody asked for in this time is forgotten. */
const FORGET_AFTER_S = 86_400;

/**
 * Two counters in one document, moved by one update on the database's clock:
 *
 * - `next_turn` is the moment of the next request. Turns are handed out at most `patienceMs` ahead, exactly one interval
 *   apart, so whatever was late or lost, requests never bunch.
 * - `next_place` is when the next one that has to wait should come back. Who comes later stands behind all of them.
 */
export function createRateStore(db: Db): RateStore {
  const rates: Collection<Rate> = db.collection('rates');
  const ask = async (endpointId: string, ...[{ perSecond, placeAtMs, patienceMs }]: AskRest): Promise<Turn> => {
    const rate = await rates.findOneAndUpdate(
      { _id: endpointId },
      turnUpdate(1_000 / perSecond, placeAtMs ?? 0, patienceMs),
      {
        upsert: true,
        returnDocument: 'after',
        writeConcern: FAST,
      },
    );
    const { goes, at, now } = rate!.told;
    return { kind: goes ? 'go' : 'wait', atMs: at, inMs: at - now };
  };
  return {
    async ensureIndexes() {
      await rates.createIndexes([{ key: { touched_at: 1 }, expireAfterSeconds: FORGET_AFTER_S }]);
    },
    async takeTurn(endpointId, options) {
      try {
        return await ask(endpointId, options);
      } catch (error) {
        // Two first calls at once: the other one made the document, so now it is there.
        if (!isDuplicateKey(error)) throw error;
        return ask(endpointId, options);
      }
    },
  };
}

type AskRest = [Parameters<RateStore['takeTurn']>[1]];

function turnUpdate(intervalMs: number, placeAtMs: number, patienceMs: number) {
  const now = { $toDouble: { $toLong: '$$NOW' } };
  const free = { $max: ['$next_turn', now] };
  const behindAll = { $max: ['$next_place', free] };
  // A place that is still ahead is kept; one whose time has come gets the next turn; a newcomer stands behind all.
  const isDue = { $and: [placeAtMs > 0, { $lte: [placeAtMs, { $add: [now, patienceMs] }] }] };
  const isEarly = { $and: [placeAtMs > 0, { $not: isDue }] };
  const turn = { $cond: [isDue, free, behindAll] };
  const goes = { $and: [{ $not: isEarly }, { $lte: [{ $subtract: [turn, now] }, patienceMs] }] };
  return [
    { $set: { told: { goes, at: { $cond: [isEarly, placeAtMs, { $cond: [goes, turn, behindAll] }] }, now } } },
    {
      $set: {
        next_turn: { $cond: ['$told.goes', { $add: ['$told.at', intervalMs] }, { $ifNull: ['$next_turn', 0] }] },
        next_place: {
          $cond: [
            { $or: ['$told.goes', { $eq: ['$told.at', placeAtMs] }] },
            { $ifNull: ['$next_place', 0] },
            { $add: ['$told.at', intervalMs] },
          ],
        },
        touched_at: '$$NOW',
      },
    },
  ];
}

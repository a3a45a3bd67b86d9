import type { Collection, Db } from 'mongodb';
import { timeIsTooFarAhead } from '../domain/clock-set-back';
import { FAST, upsertOnceMore } from '../platform/mongo';

/** Times in Unix milliseconds, with fractions: at some rates the interval is not a whole number of milliseconds. */
interface Rate {
  readonly _id: string;
  /** When the next turn is: the theoretical arrival time of the generic cell rate algorithm. */
  readonly next_turn: number;
  /** The answer to the last call: milliseconds until its turn, or null. */
  readonly told: number | null;
  readonly touched_at: Date;
}

/** A rate without calls for this long is deleted. */
const FORGET_AFTER_S = 86_400;

export type RateStore = ReturnType<typeof createRateStore>;

/** Spaces the requests to an endpoint, over all processes. */
export function createRateStore(db: Db) {
  const rates: Collection<Rate> = db.collection('rates');
  return {
    async ensureIndexes(): Promise<void> {
      await rates.createIndexes([{ key: { touched_at: 1 }, expireAfterSeconds: FORGET_AFTER_S }]);
    },
    /**
     * Takes the next turn to send to an endpoint, unless it comes later than `patienceMs` from now. Turns are exactly
     * one interval apart, so requests never bunch up, whatever was late or lost.
     *
     * @returns milliseconds until the turn, by the database's clock; null if it comes too late, and then no turn is
     *   taken
     */
    async takeTurn(endpointId: string, perSecond: number, patienceMs: number): Promise<number | null> {
      const update = turnUpdate(1_000 / perSecond, patienceMs);
      const options = { upsert: true, returnDocument: 'after', writeConcern: FAST } as const;
      const rate = await upsertOnceMore(() => rates.findOneAndUpdate({ _id: endpointId }, update, options));
      return rate!.told;
    },
    /** @returns milliseconds until the next turn; 0 if it is now */
    async untilNextTurn(endpointId: string): Promise<number> {
      const [rate] = await rates
        .aggregate<{ waitMs: number }>([
          { $match: { _id: endpointId } },
          { $project: { waitMs: { $max: [0, { $subtract: [NEXT_TURN, NOW] }] } } },
        ])
        .toArray();
      return rate?.waitMs ?? 0;
    },
  };
}

const NOW = { $toDouble: { $toLong: '$$NOW' } };
/**
 * The current time, if the clock was set back since a turn was taken: by the stored time, the next turn may be an hour
 * away.
 */
const NEXT_TURN = { $cond: [timeIsTooFarAhead('$touched_at'), NOW, '$next_turn'] };

function turnUpdate(intervalMs: number, patienceMs: number) {
  const turn = { $max: ['$next_turn', NOW] };
  const waitMs = { $subtract: [turn, NOW] };
  const goes = { $lte: [waitMs, patienceMs] };
  return [
    { $set: { next_turn: NEXT_TURN } },
    { $set: { told: { $cond: [goes, waitMs, null] }, touched_at: '$$NOW' } },
    { $set: { next_turn: { $cond: [{ $ne: ['$told', null] }, { $add: [turn, intervalMs] }, '$next_turn'] } } },
  ];
}

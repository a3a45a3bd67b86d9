import type { Collection, Db } from 'mongodb';
import { SET_BACK_MS } from '../domain/clock-set-back';
import { FAST, upsertOnceMore } from '../platform/mongo';

/** Times in Unix milliseconds, with fractions: a thousand turns a second are not a whole number apart at every rate. */
interface Rate {
  readonly _id: string;
  /** When the next turn is: the theoretical arrival time of the generic cell rate algorithm. */
  readonly next_turn: number;
  /** What the last call was told: milliseconds until its turn, or null. */
  readonly told: number | null;
  readonly touched_at: Date;
}

/** A rate that nobody asked for in this time is forgotten. */
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
     * Takes the next turn to send to an endpoint, unless it comes later than `patienceMs` from now. Turns are exactly one
     * interval apart, so whatever was late or lost, requests never bunch.
     *
     * @returns milliseconds until the turn, by the database's clock; null when it comes too late: none is taken then
     */
    async takeTurn(endpointId: string, perSecond: number, patienceMs: number): Promise<number | null> {
      const update = turnUpdate(1_000 / perSecond, patienceMs);
      const options = { upsert: true, returnDocument: 'after', writeConcern: FAST } as const;
      const rate = await upsertOnceMore(() => rates.findOneAndUpdate({ _id: endpointId }, update, options));
      return rate!.told;
    },
    /** @returns milliseconds until the next turn; 0 when it is now */
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
/** Now, where the clock was set back since a turn was taken: by the old time it may be an hour away. */
const NEXT_TURN = { $cond: [{ $gt: ['$touched_at', { $add: ['$$NOW', SET_BACK_MS] }] }, NOW, '$next_turn'] };

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

import { Binary, type Collection, type Db } from 'mongodb';
import type { PayloadBox } from '../payloads/payload-box';
import { DURABLE, isDuplicateKey } from '../platform/mongo';
import type { RehearsalSums } from './sum-pages';

/** What a change would have done to the events that were read. */
export interface RehearsalResult extends RehearsalSums {
  /** How many were read. */
  readonly events: number;
  /** When they were accepted, to the second: `before` is outside. Null if there were none. */
  readonly window: { readonly after: string; readonly before: string } | null;
  /** False if it took too long, so that older events were not read. */
  readonly complete: boolean;
}

/** A rehearsal of a change. */
export interface Rehearsal {
  readonly _id: string;
  readonly account_id: string;
  readonly state: 'running' | 'completed' | 'failed';
  /** By the database's clock. */
  readonly created_at: Date;
  /** One that still runs then is one whose process died. */
  readonly deadline_at: Date;
  /** When it is deleted. */
  readonly expires_at: Date;
  readonly result?: RehearsalResult;
  /** Why it failed, for its caller. */
  readonly error?: string;
}

/** A rehearsal as MongoDB has it: `sealed_result` replaces its result, which has bodies. */
type RehearsalAtRest = Rehearsal & { readonly sealed_result?: Binary };

/** How a rehearsal ended. */
export type RehearsalEnd =
  | { readonly state: 'completed'; readonly result: RehearsalResult }
  | { readonly state: 'failed'; readonly error: string };

export type RehearsalStore = ReturnType<typeof createRehearsalStore>;

/** Reads and writes rehearsals. An account has at most one that is running, whichever process runs it. */
export function createRehearsalStore(db: Db, payloads: PayloadBox) {
  const rehearsals: Collection<RehearsalAtRest> = db.collection('rehearsals');
  return {
    async ensureIndexes(): Promise<void> {
      await rehearsals.createIndexes([
        { key: { account_id: 1 }, unique: true, partialFilterExpression: { state: 'running' } },
        // An account's deletion finds the collection by it.
        { key: { account_id: 1, created_at: -1 } },
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      ]);
    },
    /** Stores a rehearsal that begins. @returns false if another one of its account is running */
    async begin(rehearsal: Rehearsal): Promise<boolean> {
      const { account_id: accountId, created_at: now } = rehearsal;
      await rehearsals.updateMany(
        { account_id: accountId, state: 'running', deadline_at: { $lte: now } },
        { $set: { state: 'failed', error: DIED } },
      );
      try {
        await rehearsals.insertOne(rehearsal, { writeConcern: DURABLE });
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return false;
      }
    },
    /** Ends a running rehearsal. */
    async end({ _id, account_id: accountId }: Rehearsal, end: RehearsalEnd): Promise<void> {
      const set = await sealEnd(payloads, { id: _id, accountId }, end);
      await rehearsals.updateOne({ _id, state: 'running' }, { $set: set }, { writeConcern: DURABLE });
    },
    async find(id: string): Promise<Rehearsal | null> {
      const rehearsal = await rehearsals.findOne({ _id: id });
      return rehearsal && openRehearsal(payloads, rehearsal);
    },
    /** Removes an account's rehearsals with their bodies. One that is running stores no result. */
    async removeAllOf(accountId: string): Promise<void> {
      await rehearsals.deleteMany({ account_id: accountId }, { writeConcern: DURABLE });
    },
  };
}

/** The error of a rehearsal whose process died. */
export const DIED = 'The process that ran it was stopped. Start it again.';

const ownerOf = (id: string): string => `rehearsal:${id}`;

/** Without a key the account is being deleted, and its rehearsals with it. */
async function sealEnd(
  payloads: PayloadBox,
  { id, accountId }: { readonly id: string; readonly accountId: string },
  end: RehearsalEnd,
): Promise<Partial<RehearsalAtRest>> {
  if (end.state === 'failed' || !payloads.seals) return end;
  const key = await payloads.keyToSeal(accountId);
  const box = key?.seal(ownerOf(id), 'result', Buffer.from(JSON.stringify(end.result)));
  return { state: end.state, ...(box && { sealed_result: new Binary(box) }) };
}

async function openRehearsal(
  payloads: PayloadBox,
  { sealed_result: box, ...rest }: RehearsalAtRest,
): Promise<Rehearsal> {
  if (!box) return rest;
  const key = await payloads.keyToOpen(rest.account_id);
  const opened = key.open(ownerOf(rest._id), 'result', box.value()).toString();
  return { ...rest, result: JSON.parse(opened) as RehearsalResult };
}

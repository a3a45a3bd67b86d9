import type { Collection, Db } from 'mongodb';
import { createReadGroup, DURABLE, isDuplicateKey } from '../platform/mongo';
import type { SealedSecret } from '../platform/secret-box';

/** `paused` and `disabled` endpoints get events, which wait until the endpoint is active again. */
export type EndpointStatus = 'active' | 'paused' | 'disabled';

/** A destination that an account registered. */
export interface Endpoint {
  readonly _id: string;
  readonly account_id: string;
  /** 0 to 99, unique in the account: the limit on their number holds under concurrent registrations. */
  readonly slot: number;
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string;
  readonly status: EndpointStatus;
  readonly secret: SealedSecret;
  /** The secret to come, while a rotation is under way. */
  readonly next_secret?: SealedSecret;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** Most endpoints an account can have. */
export const MAX_ENDPOINTS = 100;

/** Reads and writes endpoints. */
export interface EndpointStore {
  ensureIndexes(): Promise<void>;
  /** Inserts into the lowest free slot. @returns null when the account has 100 already */
  insert(endpoint: Omit<Endpoint, 'slot'>): Promise<Endpoint | null>;
  find(id: string): Promise<Endpoint | null>;
  findMany(ids: readonly string[]): Promise<Endpoint[]>;
  /** All of an account's endpoints, newest first. */
  listByAccount(accountId: string): Promise<Endpoint[]>;
  /** A page of them, newest first, after the given position. */
  page(accountId: string, limit: number, after?: { createdAt: Date; id: string }): Promise<Endpoint[]>;
}

export function createEndpointStore(db: Db): EndpointStore {
  const endpoints: Collection<Endpoint> = db.collection('endpoints');
  const reads = createReadGroup(endpoints);
  return {
    async ensureIndexes() {
      await endpoints.createIndexes([
        { key: { account_id: 1, slot: 1 }, unique: true },
        { key: { account_id: 1, created_at: -1, _id: -1 } },
      ]);
    },
    insert: (endpoint) => insertIntoFreeSlot(endpoints, endpoint),
    find: (id) => reads.add(id),
    findMany: (ids) => endpoints.find({ _id: { $in: [...ids] } }).toArray(),
    listByAccount: (accountId) => endpoints.find({ account_id: accountId }).sort({ created_at: -1, _id: -1 }).toArray(),
    page: (accountId, limit, after) =>
      endpoints
        .find({
          account_id: accountId,
          ...(after && {
            $or: [{ created_at: { $lt: after.createdAt } }, { created_at: after.createdAt, _id: { $lt: after.id } }],
          }),
        })
        .sort({ created_at: -1, _id: -1 })
        .limit(limit)
        .toArray(),
  };
}

async function insertIntoFreeSlot(
  endpoints: Collection<Endpoint>,
  endpoint: Omit<Endpoint, 'slot'>,
): Promise<Endpoint | null> {
  for (;;) {
    const taken = await endpoints
      .find({ account_id: endpoint.account_id }, { projection: { slot: 1 } })
      .map(({ slot }) => slot)
      .toArray();
    const slots = new Set(taken);
    const slot = Array.from({ length: MAX_ENDPOINTS }, (_, index) => index).find((index) => !slots.has(index));
    if (slot === undefined) return null;
    try {
      const placed = { ...endpoint, slot };
      await endpoints.insertOne(placed, { writeConcern: DURABLE });
      return placed;
    } catch (error) {
      // Another registration of the same account took the slot meanwhile: look again.
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

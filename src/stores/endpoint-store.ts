import type { BodyOptions } from '../domain/body-form';
import type { EndpointFlagName } from '../domain/endpoint-flags';
import type { ClientSession, Collection, Db, Filter } from 'mongodb';
import { changeAudited, type NewAuditEntry } from '../accounts/audit-store';
import type { AuditAction, By } from '../domain/audit-actions';
import { createReadGroup, FAST, findNewestFirst, isDuplicateKey } from '../platform/mongo';
import type { ListPosition } from '../platform/cursor';
import type { SealedSecret } from '../platform/secret-box';
import { closedBy, type ClosableEndpoint, type DeliveryRef, type HeldReason } from '../domain/delivery-contract';
import { endpointChanges } from '../domain/endpoint-changes';

/** `paused` and `disabled` endpoints are matched by events, which wait until the endpoint is active again. */
export type EndpointStatus = 'active' | 'paused' | 'disabled';

/** Why an endpoint is `disabled`: it answered 410 Gone, or it failed for days. */
export type DisabledReason = 'gone' | 'failing';

/** Whether the host of an endpoint has confirmed that it accepts the account's deliveries (`ENDPOINT_VERIFICATION`). */
export interface Verification {
  /** Host and port of the verified URL. */
  readonly host: string;
  readonly state: 'unverified' | 'verified';
  /** When the last challenge was sent; null before the first one. */
  readonly asked_at: Date | null;
  /** What was wrong with its last answer; null if nothing was. */
  readonly error: string | null;
}

/** An endpoint's options; one that is off is absent. Values that must not be readable in the database are sealed. */
export interface StoredOptions extends BodyOptions, Readonly<Partial<Record<EndpointFlagName, true>>> {
  /** Seconds before each attempt; its length is the number of attempts. */
  readonly retry_schedule?: readonly number[];
  readonly max_per_second?: number;
  /** A JSON object of header names and values. */
  readonly headers?: SealedSecret;
  /** `secret` is the password or the token. */
  readonly authentication?:
    | { readonly type: 'basic'; readonly username: string; readonly secret: SealedSecret }
    | { readonly type: 'bearer'; readonly secret: SealedSecret };
  /** A condition on `data`, as JSON: its operators would be MongoDB's own. */
  readonly filter?: string;
  /** By which share a delay may be longer; absent: that of the installation. */
  readonly retry_jitter?: number;
}

/** A destination that an account registered. */
export interface Endpoint {
  readonly _id: string;
  readonly account_id: string;
  /** The caller's own id, unique in the account; absent if it has none. It never changes. */
  readonly external_id?: string;
  /** From 0, unique in the account: this keeps the limit on endpoints under concurrent registrations. */
  readonly slot: number;
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string;
  /** The caller's own map of texts, as JSON, because its names may contain any character. Absent: empty. */
  readonly metadata?: string;
  readonly status: EndpointStatus;
  /** Set while its account is suspended, which does not change `status`. */
  readonly account_suspended?: true;
  /** Present only while it is `disabled`. */
  readonly disabled_reason?: DisabledReason;
  /** When it was last paused; absent if it never was, or was registered so. It stays too. */
  readonly paused_at?: Date;
  /** When it was last disabled, and the id of the attempt whose answer did it. They stay after a resume. */
  readonly disabled_at?: Date;
  readonly disabled_by?: string;
  /** Absent if no verification is needed. */
  readonly verification?: Verification;
  /** Absent: all off. */
  readonly options?: StoredOptions;
  readonly secret: SealedSecret;
  /** When a rotation made it the current one; absent if it is the first one. */
  readonly secret_since?: Date;
  /** The next secret during a rotation, and when the rotation started. */
  readonly next_secret?: SealedSecret;
  readonly next_secret_at?: Date;
  /** While what waited at a resume is sent at a rate: the most attempts a second, and since when. */
  readonly backlog_per_second?: number;
  readonly backlog_since?: Date;
  /** First failure since the last success; stored only while endpoints are disabled for failing. */
  readonly failing_since?: Date | null;
  /** Increases with each requested change; 0 when absent. */
  readonly version?: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** The key of an endpoint of an account. */
export interface EndpointRef {
  readonly accountId: string;
  readonly endpointId: string;
}

/** A change of an endpoint. Absent fields stay unchanged. */
export interface EndpointChange {
  readonly set?: Partial<
    Pick<
      Endpoint,
      | 'url'
      | 'events'
      | 'description'
      | 'metadata'
      | 'status'
      | 'verification'
      | 'options'
      | 'secret'
      | 'next_secret'
      | 'backlog_per_second'
    >
  >;
  readonly unset?: readonly (
    | 'disabled_reason'
    | 'failing_since'
    | 'next_secret'
    | 'next_secret_at'
    | 'backlog_per_second'
    | 'backlog_since'
  )[];
  /** Set to the database's current time. */
  readonly stamp?: 'next_secret_at' | 'paused_at' | 'secret_since' | 'backlog_since';
}

/**
 * The rate of a resume lasts at least so long. Several processes may release a small backlog at once, and one of them
 * finds nothing held before the others' attempts have taken their turns. Later, turns are always taken ahead.
 */
const MIN_BACKLOG_MS = 5_000;

/** The author of a change, and its audit action. */
export interface ChangeNote extends By {
  readonly action: Extract<AuditAction, `endpoint.${string}` | `secret.${string}`>;
  /** Why, in the author's words. */
  readonly detail?: string;
}

const EXTERNAL_ID_INDEX = { account_id: 1, external_id: 1 } as const;

/** Name of the collection, for other stores that read it. */
export const ENDPOINTS_COLLECTION = 'endpoints';

export type EndpointStore = ReturnType<typeof createEndpointStore>;

/** Reads and writes endpoints. Each write is one transaction with its audit entry. */
export function createEndpointStore(db: Db) {
  const endpoints: Collection<Endpoint> = db.collection(ENDPOINTS_COLLECTION);
  const reads = createReadGroup(endpoints);
  return {
    async ensureIndexes(): Promise<void> {
      await endpoints.createIndexes([
        { key: { account_id: 1, slot: 1 }, unique: true },
        { key: { account_id: 1, created_at: -1, _id: -1 } },
        { key: EXTERNAL_ID_INDEX, unique: true, partialFilterExpression: { external_id: { $gt: '' } } },
        // "disabled" and "paused" come after "active".
        { key: { status: 1 }, partialFilterExpression: { status: { $gt: 'active' } } },
      ]);
    },
    /** How many endpoints there are, and how many of them are paused or disabled. Reads no endpoint. */
    async countByStatus(): Promise<{ all: number; paused: number; disabled: number }> {
      const [all, paused, disabled] = await Promise.all([
        endpoints.estimatedDocumentCount(),
        endpoints.countDocuments({ status: 'paused' }),
        endpoints.countDocuments({ status: 'disabled' }),
      ]);
      return { all, paused, disabled };
    },
    /**
     * Inserts into the lowest free slot.
     *
     * @param limit the most endpoints of the account
     * @returns the endpoint, or why it was not inserted
     */
    insert: (endpoint: Omit<Endpoint, 'slot'>, limit: number, by: By) => insertIntoFreeSlot(db, endpoint, limit, by),
    find: (id: string) => reads.add(id),
    /** The ids of an account's endpoints by the caller's own ids. Those that no endpoint has are left out. */
    async findIds(accountId: string, externalIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const found = await endpoints
        .find({ account_id: accountId, external_id: { $in: [...externalIds] } }, { projection: { external_id: 1 } })
        .toArray();
      return new Map(found.map(({ _id, external_id: externalId }) => [externalId!, _id]));
    },
    /** Changes the endpoint unless it was changed since it was read. @returns null if it was changed or removed */
    change: (endpoint: Endpoint, change: EndpointChange, note: ChangeNote) =>
      changeUnlessChanged(db, endpoint, change, note),
    /**
     * Ends the rate of a resume, unless the endpoint was changed since it was read: a pause and a resume later, more may
     * wait. No version names it, because only the gate does it: a cached endpoint that still has the rate is slower, and
     * no worse.
     *
     * @returns whether it ended
     */
    async endBacklog(endpoint: Pick<Endpoint, '_id' | 'version'>): Promise<boolean> {
      const isOld = { $lte: ['$backlog_since', { $subtract: ['$$NOW', MIN_BACKLOG_MS] }] };
      const filter = { ...atVersion(endpoint), $expr: isOld };
      const backlog = { backlog_per_second: true, backlog_since: true } as const;
      return (await endpoints.updateOne(filter, { $unset: backlog }, { writeConcern: FAST })).modifiedCount === 1;
    },
    /** Removes the endpoint and frees its slot. @returns false if there is none */
    async remove(id: string, by: By): Promise<boolean> {
      const removed = await changeAudited(
        db,
        (session) => endpoints.findOneAndDelete({ _id: id }, { session }),
        (endpoint) => auditEntry({ ...by, action: 'endpoint.deleted' }, endpoint, null),
      );
      return removed !== null;
    },
    /** What may close the gates of these endpoints; removed ones are left out. */
    findGates: (ids: readonly string[]): Promise<(ClosableEndpoint & Pick<Endpoint, '_id'>)[]> =>
      endpoints
        .find({ _id: { $in: [...ids] } }, { projection: { status: 1, account_suspended: 1, verification: 1 } })
        .toArray(),
    findMany: (ids: readonly string[]): Promise<Endpoint[]> => endpoints.find({ _id: { $in: [...ids] } }).toArray(),
    /** Paused and disabled endpoints of all accounts; at most `limit`. */
    findStopped: (limit: number): Promise<Endpoint[]> =>
      endpoints
        .find({ status: { $gt: 'active' } })
        .sort({ status: 1 })
        .limit(limit)
        .toArray(),
    /** All of an account's endpoints, newest first. */
    listByAccount: (accountId: string): Promise<Endpoint[]> =>
      endpoints.find({ account_id: accountId }).sort({ created_at: -1, _id: -1 }).toArray(),
    /** Removes all verifications, which are no longer needed. The endpoints' gates are open at the next look. */
    async forgetVerifications(): Promise<void> {
      await endpoints.updateMany({ verification: { $exists: true } }, { $unset: { verification: true } });
    },
    /** A page of an account's endpoints, newest first, after the given position. */
    page: (accountId: string, limit: number, after?: ListPosition) =>
      findNewestFirst(endpoints, { account_id: accountId }, limit, after),
  };
}

/**
 * The audit entry of a changed endpoint.
 *
 * @param before null for a new endpoint; `after` is null for a removed one
 */
export function auditEntry(
  { action, ...by }: ChangeNote,
  before: Endpoint | null,
  after: Endpoint | null,
): NewAuditEntry {
  const { account_id: accountId, _id: object } = (after ?? before)!;
  return { ...by, accountId, action, object, changes: endpointChanges(before, after) };
}

async function insertIntoFreeSlot(
  db: Db,
  endpoint: Omit<Endpoint, 'slot'>,
  limit: number,
  by: By,
): Promise<Endpoint | 'limit reached' | 'external id taken'> {
  const endpoints: Collection<Endpoint> = db.collection(ENDPOINTS_COLLECTION);
  for (;;) {
    const taken = await endpoints.find({ account_id: endpoint.account_id }, { projection: { slot: 1 } }).toArray();
    // An account whose limit was lowered may have more, in higher slots.
    if (taken.length >= limit) return 'limit reached';
    const slots = new Set(taken.map(({ slot }) => slot));
    const slot = Array.from({ length: slots.size + 1 }, (_, index) => index).find((index) => !slots.has(index))!;
    try {
      const placed = { ...endpoint, slot };
      await changeAudited(
        db,
        (session) => endpoints.insertOne(placed, { session }),
        () => auditEntry({ ...by, action: 'endpoint.created' }, null, placed),
      );
      return placed;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      if (isDuplicateKey(error, 'external_id')) return 'external id taken';
      // Another registration of the same account took the slot meanwhile: try again.
    }
  }
}

/** Matches the endpoint unless it was changed since it was read. */
export function atVersion({ _id, version = 0 }: Pick<Endpoint, '_id' | 'version'>): Filter<Endpoint> {
  // An endpoint that was never changed has no version yet, which null matches.
  return { _id, version: version === 0 ? { $in: [0, null as never] } : version };
}

/**
 * The fields that every change for its owner sets, in a pipeline. `updated_at` grows with each one, even within a
 * millisecond or after the clock was set back, because it names the state of the endpoint (`tagOf`).
 */
export const NEXT_VERSION = {
  version: { $add: [{ $ifNull: ['$version', 0] }, 1] },
  updated_at: { $max: ['$$NOW', { $add: ['$updated_at', 1] }] },
};

function changeUnlessChanged(
  db: Db,
  before: Endpoint,
  { set, unset = [], stamp }: EndpointChange,
  note: ChangeNote,
): Promise<Endpoint | null> {
  const endpoints: Collection<Endpoint> = db.collection(ENDPOINTS_COLLECTION);
  // A text that a caller chose may look like an expression.
  const values = Object.entries(set ?? {}).map(([name, value]) => [name, { $literal: value }]);
  const update = [
    { $set: { ...Object.fromEntries(values), ...(stamp && { [stamp]: '$$NOW' }), ...NEXT_VERSION } },
    ...(unset.length > 0 ? [{ $unset: [...unset] }] : []),
  ];
  const change = (session: ClientSession) =>
    endpoints.findOneAndUpdate(atVersion(before), update, { returnDocument: 'after', session });
  return changeAudited(db, change, (after) => auditEntry(note, before, after));
}

/**
 * Whether this run is in the endpoint's line: deliveries of an ordered endpoint go one at a time, in order, but replays
 * skip the line.
 */
export function standsInLine({ options }: Endpoint, { run }: Pick<DeliveryRef, 'run'>): boolean {
  return options?.ordered === true && run === 1;
}

/** The most attempts a second that an endpoint gets now; undefined if there is no such limit. */
export function rateOf({ options, backlog_per_second: backlog }: Endpoint): number | undefined {
  const own = options?.max_per_second;
  return own === undefined || backlog === undefined ? (own ?? backlog) : Math.min(own, backlog);
}

/** Why an endpoint's gate holds a new delivery; undefined if the gate is open. */
export function reasonToHold(endpoint: Endpoint, hangs: boolean): HeldReason | undefined {
  const closed = closedBy(endpoint);
  if (closed) return closed;
  if (hangs) return 'hanging';
  if (endpoint.options?.ordered) return 'in_line';
  return rateOf(endpoint) === undefined ? undefined : 'at_rate';
}

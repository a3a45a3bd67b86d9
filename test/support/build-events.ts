import { randomBytes } from 'node:crypto';
import { Binary, Timestamp } from 'mongodb';
import { isFinished, type DeliveryState } from '../../src/domain/delivery-state';
import type { Destination, StoredEvent } from '../../src/stores/event-store';
import type { Mongo } from '../../src/platform/mongo';

/** An event to store as if its deliveries had already reached the given states. */
export interface EventSpec {
  readonly id: number;
  readonly accountId: string;
  readonly type?: string;
  /** Unix seconds. */
  readonly acceptedAt?: number;
  readonly search?: readonly string[];
  readonly idempotencyKey?: string | null;
  readonly deliveries: readonly {
    readonly endpointId: string;
    readonly state: DeliveryState;
    readonly completedAt?: Date;
    /** The bulk replay that began its last run. */
    readonly replayJob?: string;
  }[];
}

/** An id like those of endpoints. */
export function buildEndpointId(): string {
  return `ep_${randomBytes(13).toString('hex')}`;
}

/** When events were accepted, in Unix seconds, unless a test sets it. */
export const ACCEPTED_AT = 1_795_262_400;

export async function insertEvents({ db }: Mongo, specs: readonly EventSpec[]): Promise<void> {
  const events = db.collection<StoredEvent>('events');
  const documents = specs.map(toDocument);
  for (let at = 0; at < documents.length; at += 5_000) await events.insertMany(documents.slice(at, at + 5_000));
}

function toDocument({
  id,
  accountId,
  type = 'order.created',
  acceptedAt = ACCEPTED_AT,
  search,
  idempotencyKey = null,
  deliveries,
}: EventSpec): StoredEvent {
  const destinations = deliveries.map(({ endpointId, state, completedAt, replayJob }): Destination => ({
    endpoint_id: endpointId,
    url: 'https://example.com/webhooks',
    state,
    attempt_count: state === 'pending' ? 0 : 1,
    next_attempt_at: isFinished(state) ? null : new Date((acceptedAt + 86_400) * 1_000),
    completed_at: isFinished(state) ? (completedAt ?? new Date((acceptedAt + 60) * 1_000)) : null,
    run: 1,
    dispatch: 'done',
    ...(replayJob !== undefined && { replay_job: replayJob }),
  }));
  const unfinished = deliveries.filter(({ state }) => !isFinished(state)).length;
  return {
    _id: id,
    account_id: accountId,
    type,
    data: new Binary(Buffer.from('{"n":1.0}')),
    timestamp: acceptedAt,
    idempotency_key: idempotencyKey,
    ...(search && { search }),
    destinations,
    unfinished,
    accepted_at: new Timestamp({ t: acceptedAt, i: id }),
    finished_at: unfinished === 0 ? new Date((acceptedAt + 60) * 1_000) : null,
  };
}

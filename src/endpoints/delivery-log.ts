import { LRUCache } from 'lru-cache';
import {
  countOfEnd,
  NO_ACTIVITY,
  NO_DELIVERIES,
  sumActivity,
  sumDeliveries,
  timeToDelivered,
  type DayActivity,
  type DeliveryCounts,
} from '../domain/delivery-counts';
import type { AttemptInput } from '../domain/delivery-contract';
import { isOperationalType } from '../domain/event-pattern';
import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import { createTally } from '../platform/tally';
import type { StoredAnswer } from '../stores/attempt-store';
import type { DeliveryAddition, DeliveryCountStore, DeliveryGroup } from '../stores/delivery-count-store';
import type { LoadedDelivery } from '../stores/delivery-store';

/** As often as attempts are written. */
const FLUSH_MS = 1_000;
/** Names of a group and month that a process counts by themselves; later ones are "other": an account can send any number of types. */
const MAX_NAMES = 100;
/** Of this many accounts, months and groups it knows the names. One that it forgets begins with none. */
const MAX_KNOWN = 10_000;

/** What is counted of a delivery's event and destination. */
type CountedDelivery = {
  readonly event: Pick<LoadedDelivery['event'], 'account_id' | 'type' | 'timestamp' | 'key_id'>;
  readonly destination: Pick<LoadedDelivery['destination'], 'endpoint_id' | 'replayed_from' | 'test'>;
};

interface DeliveryLogDeps {
  readonly deliveryCounts: Pick<DeliveryCountStore, 'add'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export type DeliveryLog = ReturnType<typeof createDeliveryLog>;

/**
 * Counts deliveries that are accepted and that end, in memory: of the account by day, and of each endpoint, event type and key by
 * month. Writes the sums once a second, in one command. Operational events and test events are not counted.
 */
export function createDeliveryLog(deps: DeliveryLogDeps) {
  const { addDay, addNamed, flush, close } = createSums(deps);
  const count = (
    { event, destination }: CountedDelivery,
    at: Date,
    counts: DeliveryCounts,
    activity = NO_ACTIVITY,
  ): void => {
    const { account_id: accountId, type, key_id: keyId } = event;
    const day = at.toISOString().slice(0, 10);
    const month = day.slice(0, 7);
    addDay(accountId, day, activity, counts);
    addNamed(accountId, 'endpoint', month, destination.endpoint_id, counts);
    addNamed(accountId, 'type', month, type, counts);
    if (keyId !== undefined) addNamed(accountId, 'key', month, keyId, counts);
  };
  return {
    /** Counts a new event. */
    noteEvent: (accountId: string): void =>
      addDay(accountId, new Date(deps.clock()).toISOString().slice(0, 10), { ...NO_ACTIVITY, events: 1 }),
    /** Counts a new delivery. */
    noteAccepted(delivery: CountedDelivery): void {
      if (isCounted(delivery)) count(delivery, new Date(deps.clock()), { ...NO_DELIVERIES, accepted: 1 });
    },
    /** Counts a recorded answer, and its delivery if it was the last one of its run. */
    noteAnswer(
      delivery: CountedDelivery,
      { run, nextDelayMs }: Pick<AttemptInput, 'run' | 'nextDelayMs'>,
      { succeeded, started_at: startedAt, latency_ms: latencyMs, queued_ms: queuedMs }: StoredAnswer,
    ): void {
      if (!isCounted(delivery)) return;
      const startedAtMs = startedAt.getTime();
      const at = new Date(startedAtMs + latencyMs);
      const activity = { events: 0, attempts: 1, failed_attempts: succeeded ? 0 : 1 };
      if (!succeeded && nextDelayMs !== null) {
        addDay(delivery.event.account_id, at.toISOString().slice(0, 10), activity);
        return;
      }
      const time = { startedAtMs, latencyMs, queuedMs, acceptedAt: delivery.event.timestamp };
      const counts = countOfEnd({
        succeeded,
        replayedFrom: delivery.destination.replayed_from,
        timeToDeliveredMs: run === 1 ? timeToDelivered(time) : null,
      });
      count(delivery, at, counts, activity);
    },
    /** Writes what was noted. */
    flush,
    /** The same, for the last time. */
    close,
  };
}

function isCounted({ event, destination }: CountedDelivery): boolean {
  return !isOperationalType(event.type) && !destination.test;
}

/** The sums that are not written yet. */
function createSums(deps: Pick<DeliveryLogDeps, 'deliveryCounts' | 'logger'>) {
  const known = new LRUCache<string, Set<string>>({ max: MAX_KNOWN });
  const sums = createTally<DeliveryAddition>({
    flushMs: FLUSH_MS,
    merge: (one, other) => ({
      ...one,
      counts: sumDeliveries(one.counts, other.counts),
      activity: sumActivity(one.activity ?? NO_ACTIVITY, other.activity ?? NO_ACTIVITY),
    }),
    write: (added) => deps.deliveryCounts.add([...added.values()]),
    logger: deps.logger,
    failure: 'deliveries are not counted yet',
  });
  const add = (accountId: string, group: DeliveryGroup, period: string, name: string, counts: DeliveryCounts): void =>
    sums.add([accountId, group, period, name].join('/'), { accountId, group, period, name, counts });
  const addDay = (accountId: string, day: string, activity: DayActivity, counts = NO_DELIVERIES): void =>
    sums.add([accountId, 'account', day, ''].join('/'), {
      accountId,
      group: 'account',
      period: day,
      name: '',
      counts,
      activity,
    });
  const addNamed = (accountId: string, group: DeliveryGroup, month: string, name: string, counts: DeliveryCounts) => {
    const id = [accountId, group, month].join('/');
    const names = known.get(id) ?? new Set();
    if (!names.has(name) && names.size >= MAX_NAMES) return;
    known.set(id, names.add(name));
    add(accountId, group, month, name, counts);
  };
  return { addDay, addNamed, flush: sums.flush, close: sums.close };
}

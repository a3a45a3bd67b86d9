import { LRUCache } from 'lru-cache';
import type { Logger } from '../platform/logger';
import { createTally } from '../platform/tally';
import type { SchemaErrorAddition, SchemaErrorStore } from './schema-error-store';

/** As often as attempts are written. */
const FLUSH_MS = 1_000;
/** Types of an account that are counted on a day: it can send any number of them. */
const MAX_TYPES = 100;
/** Of this many accounts it knows the types. One that it forgets begins with none. */
const MAX_KNOWN = 10_000;

/** An event with schema errors. `now` is the database's clock. */
interface MarkedEvent {
  readonly id: number;
  readonly accountId: string;
  readonly type: string;
  readonly now: Date;
}

/** Counts events that do not match the catalog, in memory. Writes the sums once a second, in one command. */
export function createSchemaErrorLog({
  schemaErrors,
  logger,
}: {
  readonly schemaErrors: Pick<SchemaErrorStore, 'add'>;
  readonly logger: Logger;
}) {
  const known = new LRUCache<string, Set<string>>({ max: MAX_KNOWN });
  const { add, close } = createTally<SchemaErrorAddition>({
    flushMs: FLUSH_MS,
    merge: (one, other) => ({ ...other, hours: sumOf(one.hours, other.hours) }),
    write: (sums) => schemaErrors.add([...sums.values()]),
    logger,
    failure: 'events with schema errors are not counted yet',
  });
  return {
    note({ id: eventId, accountId, type, now: at }: MarkedEvent): void {
      const day = `${accountId}/${at.toISOString().slice(0, 10)}`;
      const types = known.get(day) ?? new Set();
      if (!types.has(type) && types.size >= MAX_TYPES) return;
      known.set(day, types.add(type));
      add(`${day}/${type}`, { accountId, type, at, eventId, hours: { [at.getUTCHours()]: 1 } });
    },
    close,
  };
}

type Hours = SchemaErrorAddition['hours'];

function sumOf(one: Hours, other: Hours): Hours {
  const sums: Record<string, number> = { ...one };
  for (const [hour, count] of Object.entries(other)) sums[hour] = (sums[hour] ?? 0) + count;
  return sums;
}

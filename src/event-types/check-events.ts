import { LRUCache } from 'lru-cache';
import { TooManyRequestsError, UnprocessableError, type AppError, type ErrorDetail } from '../domain/errors';
import type { EventTypeMode } from '../domain/event-type-modes';
import { isOperationalType } from '../domain/event-pattern';
import type { Clock } from '../platform/clock';
import { createLanes, type Timed } from '../platform/lanes';
import type { AskSchemaThread } from './check-schema';
import type { FollowedCatalog, KnownType } from './follow-catalog';

/** What checking events needs. */
export interface CheckEventsDeps {
  readonly catalog: Pick<FollowedCatalog, 'types' | 'newestTypes'>;
  /** The thread of the ingest, which no change of the catalog keeps busy. */
  readonly ask: AskSchemaThread;
  /** Of accounts without their own. */
  readonly mode: EventTypeMode;
  readonly clock: Clock;
}

/** Whose events. */
interface Sender {
  readonly accountId: string;
  /** Undefined for that of the installation. */
  readonly eventTypes: EventTypeMode | undefined;
}

/** The parts of an event that are checked. */
interface Checkable {
  readonly type: string;
  /** JSON. */
  readonly data: Uint8Array;
}

/** An event after its check: with what is wrong in mode `warn`, refused in mode `strict`. */
export type Checked<T> = (T & { readonly schemaErrors?: readonly ErrorDetail[] }) | { readonly error: unknown };

/** What a check found. */
type Finding =
  | { readonly is: 'wrong'; readonly refusal: AppError; readonly errors: readonly ErrorDetail[] }
  | { readonly is: 'fine' };

/**
 * In the thread: as many checks of one account wait as of one batch with concurrent calls. A check that takes longer than
 * 20 ms makes the account's next one wait nine times as long, so one account keeps the thread busy for a tenth of the time.
 */
const LANES = { maxWaiting: 500, freeMs: 20, rests: 9 } as const;
/** A check that was cut off costs a new thread, so the account's events of this type are not checked for a minute. */
const PAUSE_MS = 60_000;
const MAX_PAUSES = 10_000;

const FINE: Finding = { is: 'fine' };

/** Checks events against the catalog of event types, before they are accepted. */
export type CheckEvents = ReturnType<typeof createCheckEvents>;

/**
 * Checks the types and the data of events, as the mode of their account says. The checks run in a thread with a time limit,
 * because a pattern of a schema may take years for the data that a caller chooses.
 *
 * A refusal is by the newest catalog: who adds a type and then sends an event of it is not refused.
 */
export function createCheckEvents({ catalog, ask, mode, clock }: CheckEventsDeps) {
  const lanes = createLanes(LANES);
  const pausedUntil = new LRUCache<string, number>({ max: MAX_PAUSES, ttl: PAUSE_MS });
  const checkData = async (accountId: string, schema: string, { type, data }: Checkable): Promise<Finding> => {
    const pause = `${accountId}/${type}`;
    const check = async (): Promise<Timed<Finding>> => {
      const until = pausedUntil.get(pause);
      if (until !== undefined) return { value: notChecked(type, until - clock()), tookMs: 0 };
      const answer = await ask({ schema, data: textOf(data) }).catch(() => undefined);
      if (!answer) pausedUntil.set(pause, clock() + PAUSE_MS);
      if (!answer || 'unusable' in answer) return { value: mismatch(type, TAKES_TOO_LONG), tookMs: 0 };
      const { errors, tookMs } = answer;
      return { value: errors.length === 0 ? FINE : mismatch(type, errors), tookMs };
    };
    return (await lanes.run(accountId, check)) ?? notChecked(type, LANE_RETRY_MS);
  };
  const findIn = async (
    types: ReadonlyMap<string, KnownType>,
    accountId: string,
    event: Checkable,
  ): Promise<Finding> => {
    const known = types.get(event.type);
    if (!known || known.archived) return unknownType(event.type, known !== undefined);
    return known.schema === undefined ? FINE : checkData(accountId, known.schema, event);
  };
  const checkOne = async (accountId: string, event: Checkable, isStrict: boolean): Promise<Finding> => {
    const types = await catalog.types();
    const found = await findIn(types, accountId, event);
    if (!isStrict || found.is === 'fine') return found;
    const newest = await catalog.newestTypes();
    return newest.get(event.type) === types.get(event.type) ? found : findIn(newest, accountId, event);
  };
  /**
   * @param events those of one call; refused ones stay as they are
   * @returns each in its place. Rejects when the catalog was never read and MongoDB does not answer.
   */
  return async <T extends Checkable>(
    { accountId, eventTypes = mode }: Sender,
    events: readonly (T | { readonly error: unknown })[],
  ): Promise<readonly Checked<T>[]> => {
    if (eventTypes === 'open') return events;
    const isStrict = eventTypes === 'strict';
    return Promise.all(
      events.map(async (event): Promise<Checked<T>> => {
        if ('error' in event || isOperationalType(event.type)) return event;
        const found = await checkOne(accountId, event, isStrict);
        if (found.is === 'fine') return event;
        return isStrict ? { error: found.refusal } : { ...event, schemaErrors: found.errors };
      }),
    );
  };
}

/** For events that no catalog describes: those of Everpost itself. */
export const UNCHECKED: CheckEvents = async (_sender, events) => events;

/** When fewer events of the account may wait. */
const LANE_RETRY_MS = 1_000;

const TAKES_TOO_LONG = [{ path: 'data', message: 'takes too long to check against the schema' }] as const;

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}

function unknownType(type: string, isArchived: boolean): Finding {
  const message = isArchived ? 'is archived in the catalog of event types' : 'is not in the catalog of event types';
  const errors = [{ path: 'type', message }];
  return wrong(new UnprocessableError(`The type "${type}" ${message}.`, 'unknown_event_type', errors), errors);
}

function mismatch(type: string, errors: readonly ErrorDetail[]): Finding {
  const { path, message } = errors[0]!;
  const words = `The data does not match the schema of "${type}": "${path}" ${message}.`;
  return wrong(new UnprocessableError(words, 'schema_mismatch', errors), errors);
}

function notChecked(type: string, waitMs: number): Finding {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const words = `Checking events of "${type}" against its schema takes too long. Send this event again in ${seconds} s.`;
  const errors = [{ path: 'data', message: 'was not checked: checks of this type took too long' }];
  return wrong(new TooManyRequestsError(words, 'schema_check_paused', seconds), errors);
}

function wrong(refusal: AppError, errors: readonly ErrorDetail[]): Finding {
  return { is: 'wrong', refusal, errors };
}

import { AppError, TooManyRequestsError, UnprocessableError, type ErrorDetail } from '../domain/errors';
import { newId } from '../platform/ids';
import type { Logger } from '../platform/logger';
import { sleep } from '../platform/sleep';
import type { PageAnswer, PageQuestion, RehearsedChange } from './rehearsal-contract';
import { DIED, type Rehearsal, type RehearsalResult, type RehearsalStore } from './rehearsal-store';
import type { RehearsedEventStore, RehearsedSelection } from './rehearsed-event-store';
import { createSums } from './sum-pages';

/** A thread that computes. */
export interface RehearsalThread {
  /** Rejects when it is closed before it has answered. */
  ask(question: PageQuestion): Promise<PageAnswer>;
  close(): Promise<void>;
}

/** What running rehearsals needs. */
export interface RunDeps {
  readonly rehearsals: RehearsalStore;
  readonly rehearsedEvents: RehearsedEventStore;
  /** A thread of its own for each rehearsal of a change. */
  readonly startThread: (change: RehearsedChange) => RehearsalThread;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Runs rehearsals in this process. */
export interface RehearsalRunner {
  /**
   * Rehearses a change.
   *
   * @param now the database's clock
   * @param waitMs how long to wait for its end
   * @returns the rehearsal as it is at its end, or after the wait
   * @throws TooManyRequestsError `rehearsal_running` when one of the account is running, or two in this process
   * @throws UnprocessableError `invalid_schema` for a schema that can't be used
   */
  run(change: RehearsedChange, selection: RehearsedSelection, now: Date, waitMs: number): Promise<Rehearsal>;
  /** Stops those that are running. */
  close(): Promise<void>;
}

/** How long a rehearsal may take. What was read by then is its result. */
export const TIME_LIMIT_MS = 30_000;
/** How much later it must have ended: writing the result may wait for MongoDB. */
const GRACE_MS = 10_000;
const KEPT_MS = 3_600_000;
/** Each one keeps a core busy. */
const MAX_IN_PROCESS = 2;
const RETRY_SECONDS = 5;

/** @param timeLimitMs only tests change it */
export function createRehearsalRunner(deps: RunDeps, timeLimitMs = TIME_LIMIT_MS): RehearsalRunner {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    async run(change, selection, now, waitMs) {
      if (running.size >= MAX_IN_PROCESS) throw rehearsalRunning('This server has two rehearsals running');
      const rehearsal = newRehearsal(selection.accountId, now, timeLimitMs);
      const begun = deps.rehearsals.begin(rehearsal);
      const ended = begun.then((isFirst) => {
        if (!isFirst) throw rehearsalRunning('This account has a rehearsal running');
        return runToEnd(deps, rehearsal, { change, selection, closing: closing.signal, timeLimitMs });
      });
      const slot = ended.catch(() => undefined).finally(() => running.delete(slot));
      running.add(slot);
      await begun;
      const waited = new AbortController();
      const stillRunning = sleep(waitMs, waited.signal).then(() => rehearsal);
      return Promise.race([ended, stillRunning]).finally(() => waited.abort());
    },
    async close() {
      closing.abort();
      await Promise.all(running);
    },
  };
}

function newRehearsal(accountId: string, now: Date, timeLimitMs: number): Rehearsal {
  return {
    _id: newId('rhs'),
    account_id: accountId,
    state: 'running',
    created_at: now,
    deadline_at: new Date(now.getTime() + timeLimitMs + GRACE_MS),
    expires_at: new Date(now.getTime() + KEPT_MS),
  };
}

interface Work {
  readonly change: RehearsedChange;
  readonly selection: RehearsedSelection;
  readonly closing: AbortSignal;
  readonly timeLimitMs: number;
}

/** @throws what stopped it; the rehearsal has failed then */
async function runToEnd(deps: RunDeps, rehearsal: Rehearsal, work: Work): Promise<Rehearsal> {
  try {
    const result = await compute(deps, work);
    const end = work.closing.aborted
      ? ({ state: 'failed', error: DIED } as const)
      : ({ state: 'completed', result } as const);
    await deps.rehearsals.end(rehearsal, end);
    return { ...rehearsal, ...end };
  } catch (error) {
    if (!(error instanceof AppError)) deps.logger.warn({ err: error, rehearsal_id: rehearsal._id }, 'rehearsal failed');
    const message = error instanceof AppError ? error.message : 'It failed. Start it again.';
    // Without this the rehearsal counts as failed at its deadline.
    await deps.rehearsals.end(rehearsal, { state: 'failed', error: message }).catch(() => undefined);
    throw error;
  }
}

/** Reads page after page, until there are no more or the time is over. */
async function compute(deps: RunDeps, { change, selection, closing, timeLimitMs }: Work): Promise<RehearsalResult> {
  const stop = AbortSignal.any([closing, AbortSignal.timeout(timeLimitMs)]);
  const thread = deps.startThread(change);
  const closeThread = (): void => void thread.close();
  stop.addEventListener('abort', closeThread);
  const { add, sums } = createSums(change);
  let events = 0;
  let newest: number | undefined;
  let oldest = 0;
  try {
    for await (const page of deps.rehearsedEvents.pages(selection)) {
      if (stop.aborted) break;
      const answer = await thread.ask({ change, events: page });
      if (answer.kind === 'unusable') throw invalidSchema(answer.details);
      add(answer);
      events += page.length;
      newest ??= page[0]?.timestamp;
      oldest = page.at(-1)?.timestamp ?? oldest;
    }
  } catch (error) {
    // The thread was closed because the time is over.
    if (!stop.aborted) throw error;
  } finally {
    stop.removeEventListener('abort', closeThread);
    await thread.close();
  }
  const window = newest === undefined ? null : { after: isoOf(oldest), before: isoOf(newest + 1) };
  return { events, window, complete: !stop.aborted, ...sums() };
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}

function rehearsalRunning(why: string): TooManyRequestsError {
  return new TooManyRequestsError(
    `${why}. Wait until it has ended, and try again in ${RETRY_SECONDS} s.`,
    'rehearsal_running',
    RETRY_SECONDS,
  );
}

/** @param details at paths that begin with `schema` */
function invalidSchema(details: readonly ErrorDetail[]): UnprocessableError {
  const inBody = details.map(({ path, message }) => ({ path: `change.event_type.${path}`, message }));
  return new UnprocessableError(
    'The schema is no JSON Schema (2020-12) that can be used; see details.',
    'invalid_schema',
    inBody,
  );
}

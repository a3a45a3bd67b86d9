import { setTimeout as wait } from 'node:timers/promises';
import { attemptId, type StoredAnswer } from '../src/deliveries/attempt-store';
import type { DeliveryStore, KnownDelivery, LoadedDelivery } from '../src/deliveries/store';
import type { AttemptAnswer, AttemptInput, AttemptOutcome } from '../src/domain/delivery-contract';
import { isFinished } from '../src/domain/delivery-state';
import { hasTurns, standsInLine, type Endpoint, type EndpointStore } from '../src/endpoints/store';
import type { Logger } from '../src/platform/logger';
import { sendDelivery, type RequestDeps } from './delivery-request';
import type { DestinationCap, TimedRequest } from './destination-cap';
import { settleAnswer, type SettleDeps } from './settle-answer';
import { giveBackTurn, lineOf, takeTurn, type TurnDeps } from './take-turn';

/** What an attempt needs. */
export interface AttemptDeps extends RequestDeps, TurnDeps, SettleDeps {
  readonly deliveries: DeliveryStore;
  readonly endpoints: Pick<EndpointStore, 'find'>;
  readonly cap: DestinationCap;
  readonly logger: Logger;
  /** Names this process in claims: unique, and new after a restart. */
  readonly owner: string;
  /** Told how each attempt went. */
  readonly onAnswer: (endpointId: string, answer: AttemptAnswer) => void;
  /** Told of each attempt that takes long, before its answer. */
  readonly onSlow: (endpointId: string, soFarMs: number) => void;
  /** Told of an endpoint that answers nothing while many attempts wait for it. */
  readonly onHanging: (endpointId: string) => void;
}

/** The same, with the signal that the process ends. */
type RunningDeps = AttemptDeps & { readonly stop: AbortSignal };

/** Between two tries to write an answer down. */
const RECORD_AGAIN_MS = 100;
/** A receiver that takes longer holds no workflow task: the attempt goes on, and a later call gets its answer. */
const INLINE_PATIENCE_MS = 1_000;
/** A timer that fires this late, or a request that leaves this late, says that our side is slow, not the receiver. */
const OWN_DELAY_MS = 250;
/** What is thought of a receiver that has not answered yet. Twice in a row makes it slow (`slow-endpoints`). */
const SLOW_SO_FAR_MS = 3 * INLINE_PATIENCE_MS;
/** A claim that ends sooner than this is asked for when it ends; the workflow's own pace is as slow at last. */
const CLAIM_ENDS_SOON_MS = 15_000;
const LEAST_WAIT_MS = 250;

/** Makes attempts; one for each process. */
export interface AttemptDelivery {
  /** @param known what came with the promise, whose claim this process has: nothing is read or claimed then */
  make(input: AttemptInput, known?: KnownDelivery): Promise<AttemptOutcome>;
  /** Resolves when no attempt is under way. An answer that MongoDB does not take now is given up: the attempt is made again. */
  close(): Promise<void>;
}

/**
 * Makes one attempt: load, claim, take its turn, sign, POST, record. At most one POST for each (delivery, run, number),
 * however often Temporal runs it:
 *
 * - inside this process a second execution joins the first;
 * - another process finds the claim in MongoDB and comes again for its answer, or for the end of its lease;
 * - a recorded answer is returned, never asked for again;
 * - an answer that MongoDB can't take is kept until it can. Should the process die before that, the attempt is made again.
 *
 * The receiver's answer is a value. Only what is no answer (MongoDB away, no sockets left) is thrown.
 */
export function createAttemptDelivery(deps: AttemptDeps): AttemptDelivery {
  const underWay = new Map<string, UnderWay>();
  const stop = new AbortController();
  const running: RunningDeps = { ...deps, stop: stop.signal };

  const attempt = async (
    input: AttemptInput,
    known: KnownDelivery | undefined,
    timed: TimedRequest,
  ): Promise<AttemptOutcome> => {
    const capped = await deps.cap.run(input.endpointId, (request) =>
      attemptOnce(running, input, known, (send) => timed(() => request(send))),
    );
    if (capped.kind === 'ran') return capped.value;
    if (capped.hangs) deps.onHanging(input.endpointId);
    return { kind: 'busy', waitMs: capped.waitMs };
  };
  const begin = (input: AttemptInput, id: string, known?: KnownDelivery): UnderWay => {
    let requestedAt: number | undefined;
    let answeredAt: number | undefined;
    const outcome = attempt(input, known, (send) => {
      requestedAt = performance.now();
      return send().finally(() => (answeredAt = performance.now()));
    }).finally(() => underWay.delete(id));
    const requestedForMs = (): number =>
      requestedAt === undefined ? 0 : (answeredAt ?? performance.now()) - requestedAt;
    const begun = { outcome, requestedForMs };
    underWay.set(id, begun);
    return begun;
  };

  return {
    make(input, known) {
      const id = attemptId(input);
      const begun = underWay.get(id) ?? begin(input, id, known);
      return input.inline ? orLeave(deps, input, begun) : begun.outcome;
    },
    async close() {
      stop.abort();
      while (underWay.size > 0) await Promise.allSettled([...underWay.values()].map(({ outcome }) => outcome));
    },
  };
}

interface UnderWay {
  readonly outcome: Promise<AttemptOutcome>;
  /** How long its request waits for the receiver's answer, or waited. */
  requestedForMs(): number;
}

/** Gives a workflow task free that a slow receiver would hold. The attempt goes on by itself. */
async function orLeave(deps: AttemptDeps, input: AttemptInput, running: UnderWay): Promise<AttemptOutcome> {
  // A second time where it was our own side that took so long: leaving costs more work, on a machine that has too much.
  for (let time = 0; time < 2; time += 1) {
    const startedAt = performance.now();
    const outcome = await withinPatience(running.outcome);
    if (outcome) return outcome;
    const wasHeldUp = performance.now() - startedAt > INLINE_PATIENCE_MS + OWN_DELAY_MS;
    if (wasHeldUp || running.requestedForMs() < INLINE_PATIENCE_MS - OWN_DELAY_MS) continue;
    deps.onSlow(input.endpointId, SLOW_SO_FAR_MS);
    break;
  }
  // What fails here fails again, and is seen, when the workflow asks for the attempt.
  running.outcome.catch(() => undefined);
  return { kind: 'busy' };
}

/** @returns the outcome; undefined when it took too long */
async function withinPatience(running: Promise<AttemptOutcome>): Promise<AttemptOutcome | undefined> {
  let timer: NodeJS.Timeout | undefined;
  // A timer of promises with a signal costs an error for each attempt.
  const left = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), INLINE_PATIENCE_MS);
  });
  return Promise.race([running, left]).finally(() => clearTimeout(timer));
}

async function attemptOnce(
  deps: RunningDeps,
  input: AttemptInput,
  known: KnownDelivery | undefined,
  request: TimedRequest,
): Promise<AttemptOutcome> {
  if (known) return sendAndSettle(deps, input, known, request);
  const [found, claim] = await Promise.all([lookUp(deps, input), deps.deliveries.claim(input, deps.owner)]);
  const { delivery, endpoint } = found;
  if (claim.kind === 'taken') return busyFor(claim.forMs);
  if (claim.kind === 'answered') {
    // The history has the answer; the state may not have followed it yet.
    await deps.deliveries.applyAnswer(input, claim.answer);
    if (delivery) await settleAnswer(deps, input, { delivery, endpoint }, claim.answer);
    return outcomeOf(input, claim.answer);
  }
  const release = (): Promise<void> => deps.deliveries.release(input, deps.owner);
  try {
    const promised = promisedTo(deps, input, delivery);
    const obstacle = promised ?? (await obstacleTo(deps, input, delivery, endpoint));
    if (obstacle) {
      await release();
      return obstacle;
    }
  } catch (error) {
    await release().catch(() => undefined);
    throw error;
  }
  return sendAndSettle(deps, input, { delivery: delivery!, endpoint: endpoint! }, request);
}

/** Attempt 1 is the process's that accepted the event, until its claim is over. */
function promisedTo(
  { owner }: AttemptDeps,
  { run, number }: AttemptInput,
  delivery: LoadedDelivery | null,
): AttemptOutcome | undefined {
  const { claimed_by: by, claimed_until: until } = delivery?.destination ?? {};
  const leftMs = (until?.getTime() ?? 0) - (delivery?.event.now?.getTime() ?? 0);
  return run === 1 && number === 1 && by !== owner && leftMs > 0 ? busyFor(leftMs) : undefined;
}

/** Somebody else has the claim, or died with it. */
function busyFor(claimMs: number): AttemptOutcome {
  return claimMs < CLAIM_ENDS_SOON_MS
    ? { kind: 'busy', waitMs: Math.max(Math.ceil(claimMs), LEAST_WAIT_MS) }
    : { kind: 'busy' };
}

async function lookUp(deps: AttemptDeps, input: AttemptInput) {
  const [delivery, endpoint] = await Promise.all([deps.deliveries.load(input), deps.endpoints.find(input.endpointId)]);
  return { delivery, endpoint };
}

/** Why nothing may be sent now, or ever. The state in MongoDB decides: it is changed before any signal. */
async function obstacleTo(
  deps: AttemptDeps,
  input: AttemptInput,
  delivery: LoadedDelivery | null,
  endpoint: Endpoint | null,
): Promise<AttemptOutcome | undefined> {
  if (!delivery || delivery.destination.run !== input.run) return { kind: 'ended', state: 'cancelled' };
  const { state } = delivery.destination;
  if (isFinished(state)) {
    if (endpoint && standsInLine(endpoint, input)) await deps.wakeNext(lineOf(endpoint));
    return { kind: 'ended', state: state as 'delivered' | 'failed' | 'cancelled' };
  }
  if (!endpoint) {
    await deps.deliveries.cancel(input);
    return { kind: 'ended', state: 'cancelled' };
  }
  if (endpoint.status !== 'active') return { kind: 'held' };
  // Its execution comes back with its place in the rate, or in the line.
  if (input.express && hasTurns(endpoint, input)) return { kind: 'busy', waitMs: LEAST_WAIT_MS };
  return endpoint.options && takeTurn(deps, input, endpoint);
}

async function sendAndSettle(
  deps: RunningDeps,
  input: AttemptInput,
  { delivery, endpoint }: { delivery: LoadedDelivery; endpoint: Endpoint },
  request: TimedRequest,
): Promise<AttemptOutcome> {
  const giveBack = (): Promise<void> => giveBackTurn(deps, input, endpoint);
  const send = () => sendDelivery(deps, input, delivery, endpoint);
  const answer = await request(send).catch(async (error: unknown) => {
    await Promise.allSettled([deps.deliveries.release(input, deps.owner), giveBack()]);
    throw error;
  });
  const outcome = outcomeOf(input, answer);
  deps.onAnswer(input.endpointId, outcome);
  await writeDown(deps, input, answer);
  await giveBack();
  await settleAnswer(deps, input, { delivery, endpoint }, answer);
  return outcome;
}

/**
 * Writes an answer down, however long MongoDB is away: whoever asks for the attempt meanwhile waits for it too.
 *
 * @throws what MongoDB says, once the process ends
 */
async function writeDown(deps: RunningDeps, input: AttemptInput, answer: StoredAnswer): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await deps.deliveries.record(input, answer);
    } catch (error) {
      if (deps.stop.aborted) throw error;
      if (tries === 1) deps.logger.warn({ err: error, attempt: attemptId(input) }, 'an answer is not written down yet');
      await wait(RECORD_AGAIN_MS, undefined, { signal: deps.stop }).catch(() => undefined);
    }
  }
}

function outcomeOf(input: AttemptInput, answer: StoredAnswer): AttemptAnswer {
  return {
    kind: 'answered',
    number: input.number,
    succeeded: answer.succeeded,
    startedAtMs: answer.started_at.getTime(),
    latencyMs: answer.latency_ms,
    statusCode: answer.status_code,
    errorCode: answer.error_code,
    ...(answer.next_delay_ms !== undefined && { nextDelayMs: answer.next_delay_ms }),
  };
}

import { setTimeout as wait } from 'node:timers/promises';
import { attemptId, type StoredAnswer } from '../src/deliveries/attempt-store';
import type { DeliveryStore, LoadedDelivery } from '../src/deliveries/store';
import type { AttemptAnswer, AttemptInput, AttemptOutcome } from '../src/domain/delivery-contract';
import { isFinished } from '../src/domain/delivery-state';
import type { Endpoint, EndpointStore } from '../src/endpoints/store';
import type { Logger } from '../src/platform/logger';
import { sendDelivery, type RequestDeps } from './delivery-request';
import type { DestinationCap, TimedRequest } from './destination-cap';
import { settleAnswer, type SettleDeps } from './settle-answer';
import { giveBackTurn, lineOf, standsInLine, takeTurn, type TurnDeps } from './take-turn';
import type { UnrecordedAnswers } from './unrecorded-answers';

/** What an attempt needs. */
export interface AttemptDeps extends RequestDeps, TurnDeps, SettleDeps {
  readonly deliveries: DeliveryStore;
  readonly endpoints: Pick<EndpointStore, 'find'>;
  readonly cap: DestinationCap;
  readonly unrecorded: UnrecordedAnswers;
  readonly logger: Logger;
  /** Names this process in claims: unique, and new after a restart. */
  readonly owner: string;
  /** Told how each attempt went. */
  readonly onAnswer: (endpointId: string, answer: AttemptAnswer) => void;
  /** Told of each attempt that takes long, before its answer. */
  readonly onSlow: (endpointId: string, soFarMs: number) => void;
  /** Told of an endpoint that answers nothing while many attempts wait for it. */
  readonly onHanging: (endpointId: string) => void;
  /** How long an answer may take to be written down; `RECORD_PATIENCE_MS` unless a test can't wait so long. */
  readonly recordPatienceMs?: number;
}

/** The POST may take 30 s and the activity 35: what can't be written down in this time, the workflow writes down. */
export const RECORD_PATIENCE_MS = 4_000;
/** A receiver that takes longer holds no workflow task: the attempt goes on, and a later call gets its answer. */
const INLINE_PATIENCE_MS = 1_000;
/** A timer that fires this late, or a request that leaves this late, says that our side is slow, not the receiver. */
const OWN_DELAY_MS = 250;
/** What is thought of a receiver that has not answered yet. Twice in a row makes it slow (`slow-endpoints`). */
const SLOW_SO_FAR_MS = 3 * INLINE_PATIENCE_MS;
/** A claim that ends sooner than this is asked for when it ends; the workflow's own pace is as slow at last. */
const CLAIM_ENDS_SOON_MS = 15_000;
const LEAST_WAIT_MS = 250;

/**
 * Makes one attempt: load, claim, take its turn, sign, POST, record. At most one POST for each (delivery, run, number),
 * however often Temporal runs it:
 *
 * - inside this process a second execution joins the first;
 * - another process finds the claim in MongoDB and comes again for its answer, or for the end of its lease;
 * - a recorded answer is returned, never asked for again.
 *
 * The receiver's answer is a value. Only what is no answer (MongoDB away, no sockets left) is thrown.
 */
export function createAttemptDelivery(deps: AttemptDeps): (input: AttemptInput) => Promise<AttemptOutcome> {
  const underWay = new Map<string, UnderWay>();

  const attempt = async (input: AttemptInput, onRequest: () => void): Promise<AttemptOutcome> => {
    const known = deps.unrecorded.find(attemptId(input));
    if (known) return known;
    const capped = await deps.cap.run(input.endpointId, (request) =>
      attemptOnce(deps, input, (send) => {
        onRequest();
        return request(send);
      }),
    );
    if (capped.kind === 'ran') return capped.value;
    if (capped.hangs) deps.onHanging(input.endpointId);
    return { kind: 'busy', waitMs: capped.waitMs };
  };
  const begin = (input: AttemptInput, id: string): UnderWay => {
    let requestedAt: number | undefined;
    const outcome = attempt(input, () => (requestedAt = performance.now())).finally(() => underWay.delete(id));
    const begun = { outcome, requestedForMs: () => performance.now() - (requestedAt ?? performance.now()) };
    underWay.set(id, begun);
    return begun;
  };

  return (input) => {
    const id = attemptId(input);
    const running = underWay.get(id) ?? begin(input, id);
    return input.inline ? orLeave(deps, input, running) : running.outcome;
  };
}

interface UnderWay {
  readonly outcome: Promise<AttemptOutcome>;
  /** How long its request is on its way. */
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
  const timer = new AbortController();
  const left = wait(INLINE_PATIENCE_MS, undefined, { signal: timer.signal }).catch(() => undefined);
  return Promise.race([running, left]).finally(() => timer.abort());
}

async function attemptOnce(deps: AttemptDeps, input: AttemptInput, request: TimedRequest): Promise<AttemptOutcome> {
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
    const obstacle = await obstacleTo(deps, input, delivery, endpoint);
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
  return endpoint.options && takeTurn(deps, input, endpoint);
}

async function sendAndSettle(
  deps: AttemptDeps,
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
  const outcome = { ...outcomeOf(input, answer), recorded: await writeDown(deps, input, answer) };
  deps.onAnswer(input.endpointId, outcome);
  if (!outcome.recorded) {
    // It is settled when the workflow writes it down, or asks for the attempt again.
    deps.unrecorded.keep(attemptId(input), outcome, () => deps.deliveries.record(input, answer));
    return outcome;
  }
  await giveBack();
  await settleAnswer(deps, input, { delivery, endpoint }, answer);
  return outcome;
}

/** The outcome outlives a failed write: when MongoDB is away the answer travels on in the workflow. */
async function writeDown(deps: AttemptDeps, input: AttemptInput, answer: StoredAnswer): Promise<boolean> {
  const timer = new AbortController();
  const recorded = await Promise.race([
    deps.deliveries.record(input, answer).then(
      () => true,
      (error: unknown) => {
        deps.logger.warn({ err: error, attempt: attemptId(input) }, 'an answer could not be written down yet');
        return false;
      },
    ),
    wait(deps.recordPatienceMs ?? RECORD_PATIENCE_MS, false, { signal: timer.signal }).catch(() => false),
  ]);
  timer.abort();
  return recorded;
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
    recorded: true,
    ...(answer.next_delay_ms !== undefined && { nextDelayMs: answer.next_delay_ms }),
  };
}

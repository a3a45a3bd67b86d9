import { setTimeout as wait } from 'node:timers/promises';
import { attemptId, type StoredAnswer } from '../src/deliveries/attempt-store';
import type { DeliveryStore, KnownDelivery, LoadedDelivery } from '../src/deliveries/store';
import type { AttemptAnswer, AttemptInput, AttemptOutcome, HeldReason } from '../src/domain/delivery-contract';
import { isFinished } from '../src/domain/delivery-state';
import type { EndpointLoad, TimedRequest } from '../src/domain/endpoint-load';
import { closedBy, hasTurns, standsInLine, type Endpoint, type EndpointStore } from '../src/endpoints/store';
import type { Logger } from '../src/platform/logger';
import { sendDelivery, type RequestDeps } from './delivery-request';
import { settleAnswer, type SettleDeps } from './settle-answer';
import { giveBackTurn, takeTurn, type TurnDeps } from './take-turn';

/** What an attempt needs. */
export interface AttemptDeps extends RequestDeps, TurnDeps, SettleDeps {
  readonly deliveries: DeliveryStore;
  readonly endpoints: Pick<EndpointStore, 'find'>;
  readonly load: Pick<EndpointLoad, 'run' | 'isSlow' | 'hangs'>;
  readonly logger: Logger;
  /** Names this process in claims: unique, and new after a restart. */
  readonly owner: string;
  /** Told how each attempt went. */
  readonly onAnswer: (answer: AttemptAnswer) => void;
  /** Told of each attempt that has ended, whatever came of it. */
  readonly onEnd: (endpointId: string) => void;
}

/** The same, with the signal that the process ends. */
type RunningDeps = AttemptDeps & { readonly stop: AbortSignal };

/** Between two tries to write an answer down. */
const RECORD_AGAIN_MS = 100;

/** Nothing holds a workflow task for longer: not a receiver, nor a turn that is to come, nor MongoDB. */
const INLINE_MOST_MS = 2_000;

/** Another process, or another call, makes the attempt; whoever asks again later gets its answer. */
class AttemptUnderWay extends Error {
  override readonly name = 'AttemptUnderWay';
}

/** The receiver takes long, or we do. The attempt may go on, by itself. */
class SlowReceiver extends Error {
  override readonly name = 'SlowReceiver';
}

/** Makes attempts; one for each process. */
export interface AttemptDelivery {
  /**
   * @param known what came with the promise, or from the gate, in this process's claim: nothing is read then
   * @param onSlow told when the receiver takes long
   * @throws AttemptUnderWay when another process makes it
   */
  make(input: AttemptInput, known?: KnownDelivery, onSlow?: () => void): Promise<AttemptOutcome>;
  /** The same, for a call that holds a workflow task. @throws SlowReceiver too: a later call gets the answer */
  makeInline(input: AttemptInput): Promise<AttemptOutcome>;
  /** Resolves when no attempt is under way. An answer that MongoDB does not take now is given up: the attempt is made again. */
  close(): Promise<void>;
}

/**
 * Makes one attempt: claim, load, take its turn, sign, POST, record. At most one POST for each (delivery, run, number),
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
  const underWay = new Map<string, Promise<AttemptOutcome>>();
  const stop = new AbortController();
  const running: RunningDeps = { ...deps, stop: stop.signal };

  const attempt = async (input: AttemptInput, known?: KnownDelivery, onSlow?: () => void): Promise<AttemptOutcome> => {
    const { load } = deps;
    const made = await load.run(input.endpointId, (request) =>
      attemptOnce(running, input, known, (send) => request(send, onSlow)),
    );
    if (made) return made.value;
    return attemptOnce(running, input, known, load.hangs(input.endpointId) ? 'hanging' : 'at_cap');
  };
  const make: AttemptDelivery['make'] = (input, known, onSlow) => {
    const id = attemptId(input);
    const begun =
      underWay.get(id) ??
      attempt(input, known, onSlow).finally(() => {
        underWay.delete(id);
        deps.onEnd(input.endpointId);
      });
    underWay.set(id, begun);
    return begun;
  };
  return {
    make,
    async makeInline(input) {
      if (deps.load.isSlow(input.endpointId)) throw new SlowReceiver();
      return new Promise((resolve, reject) => {
        // The attempt goes on by itself.
        const leave = (): void => reject(new SlowReceiver());
        const timer = setTimeout(leave, INLINE_MOST_MS);
        make(input, undefined, leave)
          .then(resolve, reject)
          .finally(() => clearTimeout(timer));
      });
    },
    async close() {
      stop.abort();
      while (underWay.size > 0) await Promise.allSettled(underWay.values());
    },
  };
}

/** @param room what makes the request, or why there is no room for it */
async function attemptOnce(
  deps: RunningDeps,
  input: AttemptInput,
  known: KnownDelivery | undefined,
  room: TimedRequest | HeldReason,
): Promise<AttemptOutcome> {
  const go = (delivery: KnownDelivery) =>
    typeof room === 'string' ? holdClaimed(deps, input, room) : sendInTurn(deps, input, delivery, room);
  if (known?.isNew) return go(known);
  // Also what a gate let go: a retry may have started an execution while it was held.
  const claim = await deps.deliveries.claim(input, deps.owner);
  if (claim.kind === 'taken') throw new AttemptUnderWay('another process makes the attempt, or died while it did');
  // After the claim: whoever cancelled or paused before it was answered that nothing is under way.
  const found = known ?? (await lookUp(deps, input));
  if (claim.kind === 'answered') return settleAgain(deps, input, found, claim.answer);
  try {
    const obstacle = known ? undefined : await obstacleTo(deps, input, found);
    if (!obstacle) return await go(found as KnownDelivery);
    await release(deps, input);
    return obstacle;
  } catch (error) {
    await release(deps, input).catch(() => undefined);
    throw error;
  }
}

type Found = { readonly delivery: LoadedDelivery | null; readonly endpoint: Endpoint | null };

async function lookUp(deps: AttemptDeps, input: AttemptInput): Promise<Found> {
  const [delivery, endpoint] = await Promise.all([deps.deliveries.load(input), deps.endpoints.find(input.endpointId)]);
  return { delivery, endpoint };
}

/** The history has the answer; the state may not have followed it yet. */
async function settleAgain(
  deps: AttemptDeps,
  input: AttemptInput,
  { delivery, endpoint }: Found,
  answer: StoredAnswer,
): Promise<AttemptOutcome> {
  await deps.deliveries.applyAnswer(input, answer);
  if (delivery) await settleAnswer(deps, input, { delivery, endpoint }, answer);
  return outcomeOf(input, answer);
}

function release({ deliveries, owner }: AttemptDeps, input: AttemptInput): Promise<void> {
  return deliveries.release(input, owner);
}

/** Has the delivery wait for its endpoint's gate, and gives the claim back. */
async function holdClaimed(deps: AttemptDeps, input: AttemptInput, reason: HeldReason): Promise<AttemptOutcome> {
  const held = await hold(deps, input, reason);
  await release(deps, input);
  return held;
}

async function hold({ deliveries }: AttemptDeps, input: AttemptInput, reason: HeldReason): Promise<AttemptOutcome> {
  await deliveries.hold(input, reason);
  return { kind: 'held', reason };
}

/**
 * Why nothing may be sent now, or ever. The record decides: it is changed before any signal.
 *
 * @throws AttemptUnderWay when a process has the attempt by a claim in the event
 */
async function obstacleTo(
  deps: AttemptDeps,
  input: AttemptInput,
  { delivery, endpoint }: Found,
): Promise<AttemptOutcome | undefined> {
  if (!delivery || delivery.destination.run !== input.run) return { kind: 'ended', state: 'cancelled' };
  const { state, claimed_by: by, claimed_until: until } = delivery.destination;
  if (isFinished(state)) {
    if (endpoint && standsInLine(endpoint, input)) deps.lookAt(endpoint._id);
    return { kind: 'ended', state: state as 'delivered' | 'failed' | 'cancelled' };
  }
  if (until && by !== deps.owner && until > delivery.event.now!) throw new AttemptUnderWay('another process has it');
  if (!endpoint) {
    await deps.deliveries.cancel(input);
    return { kind: 'ended', state: 'cancelled' };
  }
  const closed = closedBy(endpoint);
  return closed && hold(deps, input, closed);
}

/** Sends when the endpoint's options let it. */
async function sendInTurn(
  deps: RunningDeps,
  input: AttemptInput,
  known: KnownDelivery,
  request: TimedRequest,
): Promise<AttemptOutcome> {
  if (!hasTurns(known.endpoint, input)) return sendAndSettle(deps, input, known, request);
  const turn = await takeTurn(deps, input, known.endpoint);
  if (turn.kind === 'later') return holdClaimed(deps, input, turn.reason);
  if (turn.waitedMs === 0) return sendAndSettle(deps, input, known, request);
  // Meanwhile it may have been cancelled, or its endpoint paused.
  const found = await lookUp(deps, input);
  const obstacle = await obstacleTo(deps, input, found);
  if (!obstacle) return sendAndSettle(deps, input, found as KnownDelivery, request);
  await Promise.all([giveBackTurn(deps, input, known.endpoint), release(deps, input)]);
  return obstacle;
}

async function sendAndSettle(
  deps: RunningDeps,
  input: AttemptInput,
  { delivery, endpoint }: KnownDelivery,
  request: TimedRequest,
): Promise<AttemptOutcome> {
  const giveBack = (): Promise<void> => giveBackTurn(deps, input, endpoint);
  const send = () => sendDelivery(deps, input, delivery, endpoint);
  const answer = await request(send).catch(async (error: unknown) => {
    await Promise.allSettled([release(deps, input), giveBack()]);
    throw error;
  });
  const outcome = outcomeOf(input, answer);
  deps.onAnswer(outcome);
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

import { attemptId, type StoredAnswer } from '../src/record/attempt-store';
import type { DeliveryStore, KnownDelivery, LoadedDelivery } from '../src/record/delivery-store';
import type { AttemptAnswer, AttemptInput, AttemptOutcome, HeldReason } from '../src/domain/delivery-contract';
import { isFinished } from '../src/domain/delivery-state';
import type { EndpointLoad, TimedRequest } from '../src/domain/endpoint-load';
import { isClaimed } from '../src/record/event-store';
import { closedBy, standsInLine, type Endpoint, type EndpointStore } from '../src/record/endpoint-store';
import type { Logger } from '../src/platform/logger';
import { tryUntilDone } from '../src/platform/sleep';
import { sendDelivery, type RequestDeps } from './delivery-request';
import { settleAnswer, type SettleDeps } from './settle-answer';
import { takeTurn, type TurnDeps } from './take-turn';

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

export type AttemptDelivery = ReturnType<typeof createAttemptDelivery>;

/** One call for an attempt, and what it has to go by. */
interface Call {
  readonly input: AttemptInput;
  readonly known: KnownDelivery | undefined;
  readonly onSlow: (() => void) | undefined;
  /** What makes the request, or why the endpoint has no room for it. */
  readonly room: TimedRequest | HeldReason;
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
export function createAttemptDelivery(deps: AttemptDeps) {
  const underWay = new Map<string, Promise<AttemptOutcome>>();
  const stop = new AbortController();
  const running: RunningDeps = { ...deps, stop: stop.signal };

  const attempt = async (input: AttemptInput, known?: KnownDelivery, onSlow?: () => void): Promise<AttemptOutcome> => {
    const { endpointId } = input;
    const call = { input, known, onSlow };
    try {
      const made = await deps.load.run(endpointId, (request) => attemptOnce(running, { ...call, room: request }));
      if (made) return made.value;
      return await attemptOnce(running, { ...call, room: deps.load.hangs(endpointId) ? 'hanging' : 'at_cap' });
    } finally {
      underWay.delete(attemptId(input));
      deps.onEnd(endpointId);
    }
  };
  /**
   * @param known what came with the promise, or from the gate, in this process's claim: nothing is read then
   * @param onSlow told when the receiver takes long
   * @throws AttemptUnderWay when another process makes it
   */
  const make = (input: AttemptInput, known?: KnownDelivery, onSlow?: () => void): Promise<AttemptOutcome> => {
    const id = attemptId(input);
    const begun = underWay.get(id) ?? attempt(input, known, onSlow);
    underWay.set(id, begun);
    return begun;
  };
  return {
    make,
    /** The same, for a call that holds a workflow task. @throws SlowReceiver too: a later call gets the answer */
    async makeInline(input: AttemptInput): Promise<AttemptOutcome> {
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
    /** Resolves when no attempt is under way. An answer that MongoDB does not take now is given up: the attempt is made again. */
    async close(): Promise<void> {
      stop.abort();
      while (underWay.size > 0) await Promise.allSettled(underWay.values());
    },
  };
}

/** Claims the attempt and makes it. Where nothing is sent the claim is given back. */
async function attemptOnce(deps: RunningDeps, call: Call): Promise<AttemptOutcome> {
  const { input, known } = call;
  const release = (): Promise<void> => deps.deliveries.release(input, deps.owner);
  // Also what a gate let go is claimed: a retry may have started an execution while it was held.
  if (!known?.isNew) {
    const claim = await deps.deliveries.claim(input, deps.owner);
    if (claim.kind === 'taken') throw new AttemptUnderWay('another process makes the attempt, or died while it did');
    if (claim.kind === 'answered') return settleAgain(deps, call, claim.answer);
  }
  try {
    const outcome = await sendClaimed(deps, call);
    if (outcome.kind !== 'answered') await release();
    return outcome;
  } catch (error) {
    await release().catch(() => undefined);
    throw error;
  }
}

/** Sends, unless the delivery, its endpoint or its turn is against it; then does what follows from the answer. */
async function sendClaimed(deps: RunningDeps, { input, known, onSlow, room }: Call): Promise<AttemptOutcome> {
  // After the claim: whoever cancelled or paused before it was answered that nothing is under way.
  let found = known ?? (await loadOpen(deps, input));
  if ('kind' in found) return found;
  if (typeof room === 'string') return hold(deps, input, room);
  const turn = await takeTurn(deps, input, found.endpoint);
  if (turn.kind === 'later') return hold(deps, input, turn.reason);
  let answer: StoredAnswer;
  try {
    // While it waited for its turn it may have been cancelled, or its endpoint paused.
    if (turn.waitedMs > 0) found = await loadOpen(deps, input);
    if ('kind' in found) return found;
    const { delivery, endpoint } = found;
    answer = await room(() => sendDelivery(deps, input, delivery, endpoint), onSlow);
    deps.onAnswer(outcomeOf(input, answer));
    await writeDown(deps, input, answer);
  } finally {
    await turn.giveBack();
  }
  await settleAnswer(deps, input, found, answer);
  return outcomeOf(input, answer);
}

/** The history has the answer; the state may not have followed it yet. */
async function settleAgain(deps: AttemptDeps, { input, known }: Call, answer: StoredAnswer): Promise<AttemptOutcome> {
  const { delivery, endpoint } = known ?? (await load(deps, input));
  await deps.deliveries.applyAnswer(input, answer);
  if (delivery) await settleAnswer(deps, input, { delivery, endpoint }, answer);
  return outcomeOf(input, answer);
}

async function load(
  { deliveries, endpoints }: AttemptDeps,
  input: AttemptInput,
): Promise<{ readonly delivery: LoadedDelivery | null; readonly endpoint: Endpoint | null }> {
  const [delivery, endpoint] = await Promise.all([deliveries.load(input), endpoints.find(input.endpointId)]);
  return { delivery, endpoint };
}

/**
 * Loads what may be sent now. The record decides: it is changed before any signal.
 *
 * @returns else why nothing may be sent now, or ever
 * @throws AttemptUnderWay when a process has the attempt by a claim in the event
 */
async function loadOpen(deps: AttemptDeps, input: AttemptInput): Promise<KnownDelivery | AttemptOutcome> {
  const { delivery, endpoint } = await load(deps, input);
  if (!delivery || delivery.destination.run !== input.run) return { kind: 'ended', state: 'cancelled' };
  const { state } = delivery.destination;
  if (isFinished(state)) {
    if (endpoint && standsInLine(endpoint, input)) deps.lookAt(endpoint._id);
    return { kind: 'ended', state: state as 'delivered' | 'failed' | 'cancelled' };
  }
  if (delivery.destination.claimed_by !== deps.owner && isClaimed(delivery.destination, delivery.event.now!))
    throw new AttemptUnderWay('another process has it');
  if (!endpoint) {
    await deps.deliveries.cancel(input);
    return { kind: 'ended', state: 'cancelled' };
  }
  const closed = closedBy(endpoint);
  return closed ? hold(deps, input, closed) : { delivery, endpoint };
}

/** Has the delivery wait for its endpoint's gate. */
async function hold({ deliveries }: AttemptDeps, input: AttemptInput, reason: HeldReason): Promise<AttemptOutcome> {
  await deliveries.hold(input, reason);
  return { kind: 'held', reason };
}

/**
 * Writes an answer down, however long MongoDB is away: whoever asks for the attempt meanwhile waits for it too.
 *
 * @throws what MongoDB says, once the process ends
 */
function writeDown(
  { deliveries, logger, stop }: RunningDeps,
  input: AttemptInput,
  answer: StoredAnswer,
): Promise<void> {
  return tryUntilDone(() => deliveries.record(input, answer), {
    everyMs: RECORD_AGAIN_MS,
    signal: stop,
    onFirstFailure: (error) =>
      logger.warn({ err: error, attempt: attemptId(input) }, 'an answer is not written down yet'),
  });
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

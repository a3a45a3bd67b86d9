import { LRUCache } from 'lru-cache';
import { attemptId, type StoredAnswer } from '../src/record/attempt-store';
import type { DeliveryStore, KnownDelivery } from '../src/record/delivery-store';
import {
  closedBy,
  type AttemptAnswer,
  type AttemptInput,
  type AttemptOutcome,
  type DeliveryActivities,
  type HeldReason,
} from '../src/domain/delivery-contract';
import { isFinished } from '../src/domain/delivery-state';
import type { EndpointLoad, TimedRequest } from '../src/domain/endpoint-load';
import { isClaimed } from '../src/record/event-store';
import { standsInLine, type Endpoint, type EndpointStore } from '../src/record/endpoint-store';
import type { Logger } from '../src/platform/logger';
import { tryUntilDone } from '../src/platform/sleep';
import { traceIdsIn } from '../src/platform/tracing';
import { sendDelivery, type RequestDeps } from './delivery-request';
import { settleAnswer, type SettleDeps } from './settle-answer';
import { takeTurn, type TurnDeps } from './take-turn';

/** What an attempt needs. */
export interface AttemptDeps extends RequestDeps, TurnDeps, SettleDeps {
  readonly deliveries: DeliveryStore;
  readonly endpoints: Pick<EndpointStore, 'find'>;
  readonly load: Pick<EndpointLoad, 'run' | 'isSlow'>;
  readonly logger: Logger;
  /** Names this process in claims. Unique, and new after a restart. */
  readonly owner: string;
  /** The longest time that a receiver may take. */
  readonly timeoutMs: number;
  /** Called with the outcome of each attempt. */
  readonly onAnswer: (answer: AttemptAnswer) => void;
  /** Counts an answer that this process recorded. */
  readonly answerLog: {
    note(recorded: { readonly endpoint: Endpoint; readonly input: AttemptInput; readonly answer: StoredAnswer }): void;
  };
  /** Called when an attempt has ended, whatever its outcome. */
  readonly onEnd: (endpointId: string) => void;
}

/** Between two tries to record an answer. */
const RECORD_AGAIN_MS = 100;

/** Answers that a process remembers. Only the attempts made between the start of an execution and its activity need it. */
const ANSWERS = 1_000;

/** The longest that an attempt holds a workflow task, whether it waits for a receiver, for its turn or for MongoDB. */
const INLINE_MOST_MS = 2_000;

/** Another process or another call is making the attempt. A later call gets its answer. */
class AttemptUnderWay extends Error {
  override readonly name = 'AttemptUnderWay';
}

/** The receiver is slow, or this process is. The attempt may continue in the background. */
class SlowReceiver extends Error {
  override readonly name = 'SlowReceiver';
}

export type AttemptDelivery = ReturnType<typeof createAttemptDelivery>;

/** One call for an attempt, with what the caller already knows. */
interface Call {
  readonly input: AttemptInput;
  readonly known: KnownDelivery | 'waited' | undefined;
  readonly onSlow: () => void;
  /** Aborts when the process stops. */
  readonly stop: AbortSignal;
  /** Makes the request, or says why the endpoint has no room for it. */
  readonly room: TimedRequest | HeldReason;
}

/**
 * Makes one attempt: claim, load, take its turn, sign, POST, record. Sends at most one POST for each (delivery, run,
 * number), however often Temporal runs it:
 *
 * - within this process, a second execution joins the first, or gets its answer from memory;
 * - another process finds the claim in MongoDB, and returns later for the answer or for the end of the lease;
 * - a recorded answer is returned without another request;
 * - an answer that MongoDB can't store is kept until it can. If the process dies first, the attempt is made again.
 *
 * The receiver's answer is returned as a value. The function throws only when there is no answer (MongoDB away, no
 * sockets left).
 */
export function createAttemptDelivery(deps: AttemptDeps) {
  const underWay = new Map<string, { readonly outcome: Promise<AttemptOutcome>; readonly whenSlow: (() => void)[] }>();
  const answers = new LRUCache<string, AttemptAnswer>({ max: ANSWERS });
  const stop = new AbortController();

  const begin = (input: AttemptInput, known: Call['known']) => {
    const whenSlow: (() => void)[] = [];
    const onSlow = (): void => whenSlow.forEach((tell) => tell());
    const attempt = async (): Promise<AttemptOutcome> => {
      try {
        const call = { input, known, onSlow, stop: stop.signal };
        const outcome = await deps.load.run(input.endpointId, (room) => attemptOnce(deps, { ...call, room }));
        if (outcome.kind === 'answered' && !input.express) answers.set(attemptId(input), outcome);
        return outcome;
      } finally {
        underWay.delete(attemptId(input));
        deps.onEnd(input.endpointId);
      }
    };
    return { whenSlow, outcome: attempt() };
  };
  /**
   * @param known set if this process's claim is part of the event's insert: the data from the ingest, or `waited` if it
   *   has to be read again
   * @param onSlow called when the receiver is slow
   * @throws AttemptUnderWay when another process makes the attempt
   */
  const make = (input: AttemptInput, known?: Call['known'], onSlow?: () => void): Promise<AttemptOutcome> => {
    const id = attemptId(input);
    const answer = answers.get(id);
    if (answer) return Promise.resolve(answer);
    const begun = underWay.get(id) ?? begin(input, known);
    underWay.set(id, begun);
    if (onSlow) begun.whenSlow.push(onSlow);
    return begun.outcome;
  };
  /** The same, for a call that holds a workflow task. @throws SlowReceiver too: a later call gets the answer */
  const makeInline = async (input: AttemptInput): Promise<AttemptOutcome> => {
    if (deps.load.isSlow(input.endpointId)) throw new SlowReceiver();
    return new Promise((resolve, reject) => {
      // The attempt continues in the background.
      const leave = (): void => reject(new SlowReceiver());
      const timer = setTimeout(leave, INLINE_MOST_MS);
      make(input, undefined, leave)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
  };
  const activities: DeliveryActivities = {
    attemptDelivery: (input) => (input.inline ? makeInline(input) : make(input)),
    async recordCancelled(ref) {
      await deps.deliveries.cancel(ref);
      // The next delivery in the endpoint's line may be sent.
      deps.lookAt(ref.endpointId);
    },
  };
  return {
    make,
    /** For a worker of this process, so that each attempt is made once. */
    activities,
    /**
     * Resolves when no attempt is under way. Gives up an answer that MongoDB can't store now: that attempt is made
     * again.
     */
    async close(): Promise<void> {
      stop.abort();
      while (underWay.size > 0) await Promise.allSettled([...underWay.values()].map(({ outcome }) => outcome));
    },
  };
}

/** Claims the attempt and makes it. Releases the claim if nothing was sent. */
async function attemptOnce(deps: AttemptDeps, call: Call): Promise<AttemptOutcome> {
  const { input } = call;
  const known = call.known === 'waited' ? await loadClaimed(deps, input) : call.known;
  if (!known) {
    const claim = await deps.deliveries.claim(input, deps.owner);
    if (claim.kind === 'taken') throw new AttemptUnderWay('another process makes the attempt, or died while it did');
    if (claim.kind === 'answered') return settleAgain(deps, input, claim.answer);
  }
  let outcome: AttemptOutcome | undefined;
  try {
    outcome = await sendClaimed(deps, call, known);
    return outcome;
  } finally {
    if (outcome?.kind !== 'answered') await deps.deliveries.release(input, deps.owner).catch(() => undefined);
  }
}

/** Sends, unless the delivery, its endpoint or its turn forbids it, and then handles the consequences of the answer. */
async function sendClaimed(deps: AttemptDeps, call: Call, known: KnownDelivery | undefined): Promise<AttemptOutcome> {
  const { input, room } = call;
  // Read after the claim: a cancel or pause before the claim was answered with "nothing is under way".
  let found = known ?? (await loadOpen(deps, input));
  if ('kind' in found) return found;
  if (typeof room === 'string') return hold(deps, input, room);
  const turn = await takeTurn(deps, input, found.endpoint);
  if (turn.kind === 'later') return hold(deps, input, turn.reason);
  let answer: StoredAnswer;
  try {
    // The delivery may have been cancelled, or its endpoint paused, while it waited for its turn.
    if (turn.waitedMs > 0) found = await loadOpen(deps, input);
    if ('kind' in found) return found;
    const ready = found;
    answer = await room(() => sendDelivery(deps, input, ready), call.onSlow);
    deps.onAnswer(outcomeOf(input, answer));
    // However long MongoDB is away, until the process stops. Other callers for the same attempt wait for it too.
    await tryUntilDone(() => deps.deliveries.record(input, answer, known !== undefined), {
      everyMs: RECORD_AGAIN_MS,
      signal: call.stop,
      onFirstFailure: (error) => {
        const ids = traceIdsIn(ready.delivery.event.traceparent);
        deps.logger.warn({ err: error, attempt: attemptId(input), ...ids }, 'an answer is not written down yet');
      },
    });
    deps.answerLog.note({ endpoint: ready.endpoint, input, answer });
  } finally {
    await turn.release();
  }
  await settleAnswer(deps, input, found, answer);
  return outcomeOf(input, answer);
}

/** The history has the answer, but the state may lack it. */
async function settleAgain(deps: AttemptDeps, input: AttemptInput, answer: StoredAnswer): Promise<AttemptOutcome> {
  const { delivery, endpoint } = await load(deps, input);
  await deps.deliveries.applyAnswer(input, answer);
  if (delivery) await settleAnswer(deps, input, { delivery, endpoint }, answer);
  return outcomeOf(input, answer);
}

async function load({ deliveries, endpoints }: AttemptDeps, input: AttemptInput) {
  const [delivery, endpoint] = await Promise.all([deliveries.load(input), endpoints.find(input.endpointId)]);
  return { delivery, endpoint };
}

/**
 * Loads a delivery that this process claimed in the event's insert.
 *
 * @returns undefined if that claim may end before an attempt would, or if the delivery may not be sent
 */
async function loadClaimed(deps: AttemptDeps, input: AttemptInput): Promise<KnownDelivery | undefined> {
  const { delivery, endpoint } = await load(deps, input);
  if (!delivery || !endpoint || closedBy(endpoint)) return undefined;
  const { destination, event } = delivery;
  const attemptEndsAt = new Date(event.now!.getTime() + deps.timeoutMs);
  const isOurs = destination.run === input.run && destination.claimed_by === deps.owner;
  return isOurs && !isFinished(destination.state) && isClaimed(destination, attemptEndsAt)
    ? { delivery, endpoint }
    : undefined;
}

/**
 * Loads what may be sent now. The record decides, because it changes before any signal.
 *
 * @returns the delivery, or why it may not be sent now or ever
 * @throws AttemptUnderWay when a claim in the event gives the attempt to a process
 */
async function loadOpen(deps: AttemptDeps, input: AttemptInput): Promise<KnownDelivery | AttemptOutcome> {
  const { delivery, endpoint } = await load(deps, input);
  if (!delivery || delivery.destination.run !== input.run) return { kind: 'ended', state: 'cancelled' };
  const { state } = delivery.destination;
  if (isFinished(state)) {
    if (endpoint && standsInLine(endpoint, input)) deps.lookAt(endpoint._id);
    return { kind: 'ended', state };
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

/** Makes the delivery wait for its endpoint's gate. */
async function hold({ deliveries }: AttemptDeps, input: AttemptInput, reason: HeldReason): Promise<AttemptOutcome> {
  await deliveries.hold(input, reason);
  return { kind: 'held', reason };
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

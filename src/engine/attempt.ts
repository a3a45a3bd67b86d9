import { LRUCache } from 'lru-cache';
import {
  type AttemptAnswer,
  type AttemptInput,
  type AttemptOutcome,
  type DeliveryRef,
} from '../domain/delivery-contract';
import type { Logger } from '../platform/logger';
import { tryUntilDone } from '../platform/sleep';
import { traceIdsIn } from '../platform/tracing';
import { attemptId, type RecordedAnswer, type StoredAnswer } from '../stores/attempt-store';
import type { DeliveryStore, KnownDelivery } from '../stores/delivery-store';
import { sendDelivery, type RequestDeps, type SentDelivery } from './delivery-request';
import type { EndpointCapacity, Full, Slot } from './endpoint-capacity';
import type { Gate } from './gate';
import { createLateParts, type LateParts } from './late-parts';
import { AttemptUnderWay, hold, load, loadClaimed, loadOpen, type LoadDeps } from './load-delivery';
import { settleAnswer, type SettleDeps } from './settle-answer';
import { takeTurn, type TurnDeps } from './take-turn';
import { UNCLAIMED, type AttemptSource } from './task';

/** What an attempt needs. */
export interface AttemptDeps extends RequestDeps, TurnDeps, SettleDeps, LoadDeps {
  readonly deliveries: DeliveryStore;
  readonly capacity: Pick<EndpointCapacity, 'enter' | 'isSlow'>;
  readonly gate: Pick<Gate, 'look' | 'attemptEnded'>;
  readonly logger: Logger;
  /** Called with the outcome of each attempt. */
  readonly onAnswer: (answer: AttemptAnswer) => void;
  /** Counts an answer that this process recorded. */
  readonly answerLog: {
    note(recorded: KnownDelivery & { readonly input: AttemptInput; readonly answer: StoredAnswer }): void;
  };
}

/** Answers that a process remembers: the activity of an execution comes a moment after the attempt beside it. */
const ANSWERS = 1_000;

/** Between two tries to record an answer. */
const RECORD_AGAIN_MS = 100;

export type Attempts = ReturnType<typeof createAttempts>;

/** How a caller differs from others. */
interface Caller {
  /** Where the delivery comes from (default: MongoDB, unclaimed). */
  readonly source?: AttemptSource;
  /** Called when the receiver is slow. */
  readonly onSlow?: () => void;
}

/** One attempt of this process. */
interface Call {
  readonly input: AttemptInput;
  readonly source: AttemptSource;
  readonly onSlow: () => void;
  /** Aborts when the process stops. */
  readonly stop: AbortSignal;
  readonly late: LateParts;
}

/**
 * Makes attempts. Sends at most one POST for each (delivery, run, number), however often Temporal runs it:
 *
 * - within this process, a second call joins the first, or gets its answer from memory;
 * - another process finds the claim in MongoDB, and returns later for the answer or for the end of the lease;
 * - a recorded answer is returned without another request;
 * - an answer that MongoDB can't store is kept until it can. If the process dies first, the attempt is made again.
 *
 * The receiver's answer is returned as a value. An attempt throws only when there is no answer (MongoDB away, no sockets
 * left).
 */
export function createAttempts(deps: AttemptDeps) {
  const underWay = new Map<string, { readonly outcome: Promise<AttemptOutcome>; readonly whenSlow: (() => void)[] }>();
  const answers = new LRUCache<string, AttemptAnswer>({ max: ANSWERS });
  const stop = new AbortController();
  const late = createLateParts(deps);

  const begin = (input: AttemptInput, source: AttemptSource) => {
    const whenSlow: (() => void)[] = [];
    const onSlow = (): void => whenSlow.forEach((tell) => tell());
    const attempt = async (): Promise<AttemptOutcome> => {
      try {
        const outcome = await attemptOnce(deps, { input, source, onSlow, stop: stop.signal, late });
        if (outcome.kind === 'answered' && !input.express) answers.set(attemptId(input), outcome);
        return outcome;
      } finally {
        underWay.delete(attemptId(input));
        // After its slot is free.
        deps.gate.attemptEnded(input.endpointId);
      }
    };
    return { whenSlow, outcome: attempt() };
  };
  return {
    deps,
    /** @throws AttemptUnderWay when another process makes the attempt */
    make(input: AttemptInput, { source = UNCLAIMED, onSlow }: Caller = {}): Promise<AttemptOutcome> {
      const id = attemptId(input);
      const answer = answers.get(id);
      if (answer) return Promise.resolve(answer);
      const begun = underWay.get(id) ?? begin(input, source);
      underWay.set(id, begun);
      if (onSlow) begun.whenSlow.push(onSlow);
      return begun.outcome;
    },
    /** Whether the endpoint's attempts should stay out of the way of fast ones. */
    isSlow: (endpointId: string): boolean => deps.capacity.isSlow(endpointId),
    /** Records that a run is over because its execution was cancelled in Temporal. */
    async recordCancelled(ref: DeliveryRef): Promise<void> {
      await deps.deliveries.cancel(ref);
      // The next delivery in the endpoint's line may be sent.
      deps.gate.look(ref.endpointId);
    },
    /**
     * Resolves when no attempt is under way. Gives up an answer that MongoDB can't store now: that attempt is made
     * again.
     */
    async close(): Promise<void> {
      stop.abort();
      while (underWay.size > 0) await Promise.allSettled([...underWay.values()].map(({ outcome }) => outcome));
      await late.recorded();
    },
  };
}

/** Takes a slot, claims the attempt and makes it. Releases the claim if nothing was sent. */
async function attemptOnce(deps: AttemptDeps, call: Call): Promise<AttemptOutcome> {
  const { input } = call;
  const slot = deps.capacity.enter(input.endpointId);
  let outcome: AttemptOutcome | undefined;
  let isOurs = false;
  try {
    const known = await knownOf(deps, call);
    if (!known) {
      const claim = await deps.deliveries.claim(input, deps.owner);
      if (claim.kind === 'taken') throw new AttemptUnderWay('another process makes the attempt, or died while it did');
      if (claim.kind === 'answered') return await settleAgain(deps, input, claim.answer);
    }
    isOurs = true;
    // Read after the claim: a cancel or pause before the claim was answered with "nothing is under way".
    const found = known ?? (await loadOpen(deps, input));
    outcome = 'kind' in found ? found : await sendInTurn(deps, call, { found, slot, isNew: known !== undefined });
    return outcome;
  } finally {
    if (isOurs && outcome?.kind !== 'answered') await deps.deliveries.release(input, deps.owner).catch(() => undefined);
    if (!('full' in slot)) slot.leave();
  }
}

/** A delivery that may be sent, and how. */
interface Ready {
  readonly found: KnownDelivery;
  readonly slot: Slot | Full;
  /** Whether the claim is part of the event's insert. */
  readonly isNew: boolean;
}

/** Sends when the endpoint's turn allows it, records the answer, and handles its consequences. */
async function sendInTurn(deps: AttemptDeps, call: Call, { found, slot, isNew }: Ready): Promise<AttemptOutcome> {
  const { input } = call;
  if ('full' in slot) return hold(deps, input, slot.full);
  const turn = await takeTurn(deps, input, found.endpoint);
  if (turn.kind === 'later') return hold(deps, input, turn.reason);
  let ready: KnownDelivery | AttemptOutcome;
  let sent: SentDelivery;
  try {
    // The delivery may have been cancelled, or its endpoint paused, while it waited for its turn.
    ready = turn.waitedMs > 0 ? await loadOpen(deps, input) : found;
    if ('kind' in ready) return ready;
    sent = await sendDelivery(deps, input, ready, (send) => slot.time(send, call.onSlow));
    deps.onAnswer(outcomeOf(input, sent.answer));
    await recordAnswer(deps, call, ready, { ...sent, isNew });
  } finally {
    await turn.release();
  }
  await settle(deps, input, ready, sent.answer);
  return outcomeOf(input, sent.answer);
}

/** Records an answer, however long MongoDB is away, until the process stops. Other callers for the attempt wait too. */
async function recordAnswer(
  deps: AttemptDeps,
  { input, stop, late }: Call,
  { delivery, endpoint }: KnownDelivery,
  { answer, rest, isNew }: SentDelivery & { readonly isNew: boolean },
): Promise<void> {
  await tryUntilDone(() => deps.deliveries.record(input, answer, { event: delivery.event, isNew }), {
    everyMs: RECORD_AGAIN_MS,
    signal: stop,
    onFirstFailure: (error) => {
      const ids = traceIdsIn(delivery.event.traceparent);
      deps.logger.warn(
        { err: error, attempt: attemptId(input), ...ids },
        'could not record the answer of an attempt; retrying',
      );
    },
  });
  if (!delivery.destination.test) deps.answerLog.note({ delivery, endpoint, input, answer });
  if (rest) late.add(input, answer, { accountId: delivery.event.account_id, parts: rest });
}

/** The history has the answer, but the state may lack it. */
async function settleAgain(deps: AttemptDeps, input: AttemptInput, answer: RecordedAnswer): Promise<AttemptOutcome> {
  const { delivery, endpoint } = await load(deps, input);
  if (delivery) {
    await deps.deliveries.applyAgain(input, answer, delivery);
    await settle(deps, input, { delivery, endpoint }, answer);
  }
  return outcomeOf(input, answer);
}

/** Handles the consequences of an answer. Only then a failed express delivery, which no execution repeats, is not due. */
async function settle(
  deps: AttemptDeps,
  input: AttemptInput,
  found: Parameters<typeof settleAnswer>[2],
  answer: RecordedAnswer,
): Promise<void> {
  await settleAnswer(deps, input, found, answer);
  if (input.express && !answer.succeeded && input.nextDelayMs === null) await deps.deliveries.settled(input);
}

/** A delivery that this process has claimed in its event; undefined if the attempt must be claimed first. */
async function knownOf(deps: AttemptDeps, { input, source }: Call): Promise<KnownDelivery | undefined> {
  if (source.kind === 'memory') return source.known;
  return source.kind === 'claimed' ? loadClaimed(deps, input) : undefined;
}

function outcomeOf(input: AttemptInput, answer: RecordedAnswer): AttemptAnswer {
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

import { setTimeout as wait } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { attemptId, type DeliveryStore, type LoadedDelivery, type StoredAnswer } from '../src/deliveries/store';
import type { AttemptAnswer, AttemptInput, AttemptOutcome } from '../src/domain/delivery-contract';
import { isFinished } from '../src/domain/delivery-state';
import type { Endpoint, EndpointStore } from '../src/endpoints/store';
import type { Clock } from '../src/platform/clock';
import type { Logger } from '../src/platform/logger';
import type { SecretBox } from '../src/platform/secret-box';
import type { HttpSender, SendResult } from '../src/sender/http-sender';
import { composeBody, signDelivery } from '../src/sender/signature';
import type { DestinationCap } from './destination-cap';

/** What an attempt needs. */
export interface AttemptDeps {
  readonly deliveries: DeliveryStore;
  readonly endpoints: Pick<EndpointStore, 'find'>;
  readonly secretBox: SecretBox;
  readonly sender: HttpSender;
  readonly cap: DestinationCap;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Names this process in claims: unique, and new after a restart. */
  readonly owner: string;
  /** Told how each attempt went. */
  readonly onAnswer: (endpointId: string, answer: AttemptAnswer) => void;
}

/** The POST may take 30 s and the activity 35: what can't be written down in this time, the workflow writes down. */
const RECORD_PATIENCE_MS = 4_000;
/** How long to wait for the answer of whoever holds the claim, before Temporal tries again. */
const CLAIM_PATIENCE_MS = 30_000;
const CLAIM_POLL_MS = 500;
const MAX_UNRECORDED = 10_000;

/**
 * Makes one attempt: load, claim, sign, POST, record. At most one POST for each (delivery, run, number), however
 * often Temporal runs it:
 *
 * - inside this process a second execution joins the first;
 * - another process finds the claim in MongoDB and waits for its answer, or for its lease to end;
 * - a recorded answer is returned, never asked for again.
 *
 * The receiver's answer is a value. Only what is no answer (MongoDB away, no sockets left) is thrown.
 */
export function createAttemptDelivery(deps: AttemptDeps): (input: AttemptInput) => Promise<AttemptOutcome> {
  const underWay = new Map<string, Promise<AttemptOutcome>>();
  const unrecorded = new LRUCache<string, AttemptAnswer>({ max: MAX_UNRECORDED });

  const attempt = async (input: AttemptInput): Promise<AttemptOutcome> => {
    const known = unrecorded.get(attemptId(input));
    if (known) return known;
    const outcome = await deps.cap.run(input.endpointId, () => attemptOnce(deps, input));
    if (outcome?.kind === 'answered' && !outcome.recorded) unrecorded.set(attemptId(input), outcome);
    return outcome ?? { kind: 'busy' };
  };

  return (input) => {
    const id = attemptId(input);
    let running = underWay.get(id);
    if (!running) {
      running = attempt(input).finally(() => underWay.delete(id));
      underWay.set(id, running);
    }
    return running;
  };
}

async function attemptOnce(deps: AttemptDeps, input: AttemptInput): Promise<AttemptOutcome> {
  let [found, claim] = await Promise.all([lookUp(deps, input), deps.deliveries.claim(input, deps.owner)]);
  if (claim.kind === 'taken') {
    claim = await claimPatiently(deps, input);
    // That took a while: what was found before it may be cancelled or paused by now.
    found = await lookUp(deps, input);
  }
  const { delivery, endpoint } = found;
  if (claim.kind === 'answered') {
    // The history has the answer; the state may not have followed it yet.
    await deps.deliveries.applyAnswer(input, claim.answer.succeeded);
    return outcomeOf(input, claim.answer);
  }
  const obstacle = await obstacleTo(deps, input, delivery, endpoint);
  if (obstacle) {
    await deps.deliveries.release(input, deps.owner);
    return obstacle;
  }
  const result = await post(deps, delivery!, endpoint!).catch(async (error: unknown) => {
    await deps.deliveries.release(input, deps.owner).catch(() => undefined);
    throw error;
  });
  return writeDown(deps, input, result);
}

async function lookUp(deps: AttemptDeps, input: AttemptInput) {
  const [delivery, endpoint] = await Promise.all([deps.deliveries.load(input), deps.endpoints.find(input.endpointId)]);
  return { delivery, endpoint };
}

/** Waits for the answer of the worker that holds the claim, or for the end of its lease. */
async function claimPatiently(deps: AttemptDeps, input: AttemptInput) {
  const giveUpAt = deps.clock() + CLAIM_PATIENCE_MS;
  for (;;) {
    await wait(CLAIM_POLL_MS);
    const claim = await deps.deliveries.claim(input, deps.owner);
    if (claim.kind !== 'taken') return claim;
    if (deps.clock() >= giveUpAt) throw new Error(`attempt ${attemptId(input)} is being made by another worker`);
  }
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
  if (isFinished(state)) return { kind: 'ended', state: state as 'delivered' | 'failed' | 'cancelled' };
  if (!endpoint) {
    await deps.deliveries.cancel(input);
    return { kind: 'ended', state: 'cancelled' };
  }
  return endpoint.status === 'active' ? undefined : { kind: 'held' };
}

async function post(deps: AttemptDeps, { event }: LoadedDelivery, endpoint: Endpoint): Promise<SendResult> {
  const body = composeBody({
    id: event._id,
    type: event.type,
    data: Buffer.from(event.data.value()),
    timestamp: event.timestamp,
  });
  const open = deps.secretBox.open;
  const headers = signDelivery({
    secrets: {
      current: open(endpoint.secret, endpoint._id),
      next: endpoint.next_secret && open(endpoint.next_secret, endpoint._id),
    },
    body,
    eventId: event._id,
    eventType: event.type,
    timestampSeconds: Math.floor(deps.clock() / 1_000),
  });
  return deps.sender.send({ url: endpoint.url, headers, body });
}

/** The outcome outlives a failed write: when MongoDB is away the answer travels on in the workflow. */
async function writeDown(deps: AttemptDeps, input: AttemptInput, result: SendResult): Promise<AttemptOutcome> {
  const stored: StoredAnswer = {
    started_at: new Date(result.startedAtMs),
    latency_ms: result.latencyMs,
    succeeded: result.succeeded,
    status_code: result.statusCode,
    error_code: result.errorCode,
    error: result.error,
    response_snippet: result.snippet,
    url: result.url,
    resends: result.resends,
  };
  const timer = new AbortController();
  const recorded = await Promise.race([
    deps.deliveries.record(input, stored).then(
      () => true,
      (error: unknown) => {
        deps.logger.warn({ err: error, attempt: attemptId(input) }, 'an answer could not be written down yet');
        return false;
      },
    ),
    wait(RECORD_PATIENCE_MS, false, { signal: timer.signal }).catch(() => false),
  ]);
  timer.abort();
  const answer = { ...outcomeOf(input, stored), recorded };
  deps.onAnswer(input.endpointId, answer);
  return answer;
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
  };
}

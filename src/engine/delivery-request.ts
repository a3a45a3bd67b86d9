import type { ReceivedParts, SentParts, StoredAnswer } from '../stores/attempt-store';
import type { KnownDelivery, LoadedDelivery } from '../stores/delivery-store';
import { bodyFormOf, bodyHeaders } from '../domain/body-form';
import { deliveryId, type AttemptInput } from '../domain/delivery-contract';
import { parseRetryAfter } from '../domain/retry-after';
import { jitteredDelay } from '../domain/retry-jitter';
import type { Endpoint } from '../stores/endpoint-store';
import { dataOf } from '../stores/event-data';
import type { Clock } from '../platform/clock';
import type { SecretBox } from '../platform/secret-box';
import type { HttpSender, SendResult } from '../sender/http-sender';
import type { Reading, Received } from '../sender/read-response';
import { createSecretHider } from '../sender/repeated-secrets';
import { keepHeaders } from '../sender/response-headers';
import { composeBody, layOver, signDelivery } from '../sender/signature';
import { SNIPPET_BYTES } from '../sender/snippet';
import { describeSpan, failSpan, inSpan, SpanKind, startSpan, traceparentOf, type Span } from '../platform/tracing';
import { ACCEPT, USER_AGENT } from '../sender/user-agent';

/** What sending needs. */
export interface RequestDeps {
  readonly secretBox: SecretBox;
  readonly sender: HttpSender;
  readonly clock: Clock;
  /** By which share a delay may be longer, for endpoints that don't say it. */
  readonly retryJitter: number;
  /** The headers from an endpoint's options, credentials included. */
  readonly optionHeaders: (endpoint: Endpoint) => Readonly<Record<string, string>>;
}

/** The receiver's answer as the history stores it. */
export interface SentDelivery {
  readonly answer: StoredAnswer;
  /** What the history gets later, when the rest of the answer was read; `null` if `answer` has it already. */
  readonly rest: Promise<ReceivedParts> | null;
}

/**
 * How long an answer waits for its headers and body after its status, to be recorded with them in one write. The network
 * is not at fault for longer: Linux sends a lost packet again after 200 ms.
 */
const SOON_MS = 300;

/**
 * Sends one delivery, in a span of its own. Returns when the status is there and the rest of the answer has had a moment
 * to arrive.
 *
 * @param request makes the request: it measures how long the receiver takes for its status
 */
export async function sendDelivery(
  deps: RequestDeps,
  input: AttemptInput,
  { delivery, endpoint }: KnownDelivery,
  request: <T>(send: () => Promise<T>) => Promise<T>,
): Promise<SentDelivery> {
  const span = startAttemptSpan(input, delivery, endpoint);
  const added = endpoint.options ? deps.optionHeaders(endpoint) : {};
  const traceparent = endpoint.options?.send_traceparent ? traceparentOf(span) : undefined;
  const { body, signed, secrets } = composeSigned(deps, delivery, endpoint);
  const own = traceparent === undefined ? signed : { ...signed, traceparent };
  const post = { url: endpoint.url, headers: layOver(added, own), body };
  const send = () => inSpan(span, async () => describeAnswer(span, await deps.sender.send(post)));
  const result = await request(send);
  const { reading } = result;
  const received = reading && (await soonOf(reading));
  const nextDelayMs = result.succeeded ? undefined : ownDelay(deps, input, endpoint, received);
  const dueAt = input.trigger === 'scheduled' ? delivery.destination.next_attempt_at : null;
  const ownHeaders = Object.keys(added);
  // Receivers repeat what they got. It must not be stored where more people read than may know it.
  const hide = createSecretHider({ headers: added, signing: Object.values(secrets) });
  const keep = (parts: Received): ReceivedParts => receivedParts(parts, ownHeaders, hide);
  const { body_ms: bodyMs, ...parts } = received ? keep(received) : { response_snippet: null };
  const answer: StoredAnswer = {
    started_at: new Date(result.startedAtMs),
    latency_ms: result.latencyMs,
    succeeded: result.succeeded,
    status_code: result.statusCode,
    error_code: result.errorCode,
    error: result.error,
    ...parts,
    url: result.url,
    resends: result.resends,
    ...(nextDelayMs !== undefined && { next_delay_ms: nextDelayMs }),
    sent: sentParts(signed, ownHeaders, traceparent),
    ...(!result.sent && { unsent: true }),
    ...(input.express && !input.shown && { express: true }),
    // The clocks of this process and of the database may differ.
    ...(dueAt && { queued_ms: Math.max(0, result.startedAtMs - dueAt.getTime()) }),
    timings: { ...result.timings, ...(bodyMs !== undefined && { body: bodyMs }) },
  };
  return { answer, rest: reading && bodyMs === undefined ? reading.ended.then(keep) : null };
}

/** What has been received when the answer ends, or shortly after its status. */
async function soonOf({ ended, soFar }: Reading): Promise<Received> {
  let timer: NodeJS.Timeout;
  const soon = new Promise<void>((resolve) => (timer = setTimeout(resolve, SOON_MS)));
  await Promise.race([ended.finally(() => clearTimeout(timer)), soon]);
  return soFar();
}

function receivedParts(
  { rawHeaders, snippet, warning, bodyMs }: Received,
  ownHeaders: readonly string[],
  hide: (text: string) => string,
): ReceivedParts {
  return {
    response_snippet: hide(snippet).slice(0, SNIPPET_BYTES),
    response_headers: keepHeaders(rawHeaders, ownHeaders, hide),
    ...(warning !== null && { warning }),
    ...(bodyMs !== null && { body_ms: bodyMs }),
  };
}

/**
 * Begins the span of an attempt, which continues the trace of its event: retries and replays belong to one trace.
 *
 * Of the URL it has the host only, because path and query may be secret.
 */
function startAttemptSpan(input: AttemptInput, { event }: LoadedDelivery, { url }: Endpoint): Span {
  const span = startSpan('POST', { kind: SpanKind.CLIENT }, event.traceparent);
  describeSpan(span, () => {
    const { protocol, hostname, port } = new URL(url);
    return {
      'http.request.method': 'POST',
      'server.address': hostname,
      'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
      'everpost.account_id': event.account_id,
      'everpost.event_id': input.eventId,
      'everpost.event_type': event.type,
      'everpost.endpoint_id': input.endpointId,
      'everpost.delivery_id': deliveryId(input),
      'everpost.run': input.run,
      'everpost.attempt': input.number,
      'everpost.way': input.express ? 'express' : 'workflow',
    };
  });
  return span;
}

/** Adds the receiver's answer to the span of an attempt. @returns the answer */
function describeAnswer(span: Span, result: SendResult): SendResult {
  const { statusCode, errorCode, resends } = result;
  describeSpan(span, () => ({
    ...(statusCode !== null && { 'http.response.status_code': statusCode }),
    ...(resends > 0 && { 'http.request.resend_count': resends }),
  }));
  if (!result.succeeded) failSpan(span, String(statusCode ?? errorCode));
  return result;
}

function composeSigned({ secretBox, clock }: RequestDeps, { event, destination }: LoadedDelivery, endpoint: Endpoint) {
  const { _id: eventId, type: eventType, timestamp } = event;
  // As it was stored with the event: the endpoint's options may have changed since.
  const form = bodyFormOf(destination.body, event.account_id);
  const body = composeBody({ id: eventId, type: eventType, data: dataOf(event), timestamp }, form);
  const secrets = {
    current: secretBox.open(endpoint.secret, endpoint._id),
    ...(endpoint.next_secret && { next: secretBox.open(endpoint.next_secret, endpoint._id) }),
  };
  const timestampSeconds = Math.floor(clock() / 1_000);
  const ofBody = bodyHeaders(event, form);
  const signed = signDelivery({ secrets, body, bodyHeaders: ofBody, eventId, eventType, timestampSeconds });
  return { body, secrets, signed };
}

function sentParts(
  signed: Readonly<Record<string, string>>,
  hidden: readonly string[],
  traceparent: string | undefined,
): SentParts {
  const nextSignature = signed['X-Webhook-Signature-Next'];
  return {
    timestamp: Number(signed['X-Webhook-Timestamp']),
    signature: signed['X-Webhook-Signature']!,
    ...(nextSignature !== undefined && { next_signature: nextSignature }),
    standard_signature: signed['webhook-signature']!,
    user_agent: USER_AGENT,
    accept: ACCEPT,
    ...(traceparent !== undefined && { traceparent }),
    ...(hidden.length > 0 && { hidden }),
  };
}

/**
 * The wait before the next attempt if it is not the schedule's: longer by its jitter, or the one that the receiver
 * requested, if that is still longer and the endpoint's options allow it.
 */
function ownDelay(
  { clock, retryJitter }: RequestDeps,
  input: AttemptInput,
  { options }: Endpoint,
  received: Received | null,
): number | undefined {
  const { nextDelayMs } = input;
  if (nextDelayMs === null) return undefined;
  const jitteredMs = jitteredDelay(nextDelayMs, options?.retry_jitter ?? retryJitter, input);
  const retryAfter = options?.honor_retry_after ? received?.retryAfter : undefined;
  const askedMs = retryAfter ? (parseRetryAfter(retryAfter, clock()) ?? 0) : 0;
  const delayMs = Math.max(jitteredMs, askedMs);
  return delayMs > nextDelayMs ? delayMs : undefined;
}

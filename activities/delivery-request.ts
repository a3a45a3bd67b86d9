import type { SentParts, StoredAnswer } from '../src/record/attempt-store';
import type { KnownDelivery, LoadedDelivery } from '../src/record/delivery-store';
import { deliveryId, type AttemptInput } from '../src/domain/delivery-contract';
import { parseRetryAfter } from '../src/domain/retry-after';
import type { Endpoint } from '../src/record/endpoint-store';
import type { Clock } from '../src/platform/clock';
import type { SecretBox } from '../src/platform/secret-box';
import type { HttpSender, SendResult } from '../src/sender/http-sender';
import { keepHeaders } from '../src/sender/response-headers';
import { composeBody, layOver, signDelivery } from '../src/sender/signature';
import { describeSpan, failSpan, inSpan, SpanKind, startSpan, traceparentOf, type Span } from '../src/platform/tracing';
import { USER_AGENT } from '../src/sender/user-agent';

/** What sending needs. */
export interface RequestDeps {
  readonly secretBox: SecretBox;
  readonly sender: HttpSender;
  readonly clock: Clock;
  /** The headers from an endpoint's options, credentials included. */
  readonly optionHeaders: (endpoint: Endpoint) => Readonly<Record<string, string>>;
}

/**
 * Sends one delivery, in a span of its own.
 *
 * @returns the receiver's answer as the history stores it
 */
export async function sendDelivery(
  deps: RequestDeps,
  input: AttemptInput,
  { delivery, endpoint }: KnownDelivery,
): Promise<StoredAnswer> {
  const span = startAttemptSpan(input, delivery, endpoint);
  const added = endpoint.options ? deps.optionHeaders(endpoint) : {};
  const traceparent = endpoint.options?.send_traceparent ? traceparentOf(span) : undefined;
  const { body, signed } = composeSigned(deps, delivery, endpoint);
  const own = traceparent === undefined ? signed : { ...signed, traceparent };
  const request = { url: endpoint.url, headers: layOver(added, own), body };
  const result = await inSpan(span, async () => describeAnswer(span, await deps.sender.send(request)));
  const nextDelayMs = honouredDelay(input, endpoint, result, deps.clock());
  const dueAt = input.trigger === 'scheduled' ? delivery.destination.next_attempt_at : null;
  const ownHeaders = Object.keys(added);
  return {
    started_at: new Date(result.startedAtMs),
    latency_ms: result.latencyMs,
    succeeded: result.succeeded,
    status_code: result.statusCode,
    error_code: result.errorCode,
    error: result.error,
    response_snippet: result.snippet,
    url: result.url,
    resends: result.resends,
    ...(nextDelayMs !== undefined && { next_delay_ms: nextDelayMs }),
    sent: sentParts(signed, ownHeaders, traceparent),
    ...(!result.sent && { unsent: true }),
    ...(input.express && { express: true }),
    // The clocks of this process and of the database may differ.
    ...(dueAt && { queued_ms: Math.max(0, result.startedAtMs - dueAt.getTime()) }),
    timings: result.timings,
    ...(result.responseHeaders && { response_headers: keepHeaders(result.responseHeaders, ownHeaders) }),
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

function composeSigned({ secretBox, clock }: RequestDeps, { event }: LoadedDelivery, endpoint: Endpoint) {
  const { _id: eventId, type: eventType, data, timestamp } = event;
  const body = composeBody({ id: eventId, type: eventType, data: Buffer.from(data.value()), timestamp });
  const secrets = {
    current: secretBox.open(endpoint.secret, endpoint._id),
    next: endpoint.next_secret && secretBox.open(endpoint.next_secret, endpoint._id),
  };
  const timestampSeconds = Math.floor(clock() / 1_000);
  return { body, signed: signDelivery({ secrets, body, eventId, eventType, timestampSeconds }) };
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
    ...(traceparent !== undefined && { traceparent }),
    ...(hidden.length > 0 && { hidden }),
  };
}

/** The wait that the receiver requested, if it is longer than the schedule's and the endpoint's options allow it. */
function honouredDelay(
  { nextDelayMs }: AttemptInput,
  { options }: Endpoint,
  { retryAfter }: SendResult,
  nowMs: number,
): number | undefined {
  if (!options?.honor_retry_after || nextDelayMs === null || retryAfter === null) return undefined;
  const askedMs = parseRetryAfter(retryAfter, nowMs);
  return askedMs !== undefined && askedMs > nextDelayMs ? askedMs : undefined;
}

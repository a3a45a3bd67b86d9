import type { SentParts, StoredAnswer } from '../src/record/attempt-store';
import type { KnownDelivery, LoadedDelivery } from '../src/record/delivery-store';
import type { AttemptInput } from '../src/domain/delivery-contract';
import { describeAnswer } from './attempt-span';
import { parseRetryAfter } from '../src/domain/retry-after';
import type { Endpoint } from '../src/record/endpoint-store';
import type { Clock } from '../src/platform/clock';
import type { SecretBox } from '../src/platform/secret-box';
import type { HttpSender, SendRequest, SendResult } from '../src/sender/http-sender';
import { keepHeaders } from '../src/sender/response-headers';
import { composeBody, layOver, signDelivery } from '../src/sender/signature';
import { inSpan, traceparentOf, type Span } from '../src/platform/tracing';
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
 * Sends one delivery.
 *
 * @param span the attempt's, which ends with it
 * @returns the receiver's answer as the history stores it
 */
export async function sendDelivery(
  deps: RequestDeps,
  input: AttemptInput,
  { delivery, endpoint }: KnownDelivery,
  span: Span,
): Promise<StoredAnswer> {
  const added = endpoint.options ? deps.optionHeaders(endpoint) : {};
  const traceparent = endpoint.options?.send_traceparent ? traceparentOf(span) : undefined;
  const { request, signed } = composeRequest(deps, delivery, endpoint, { added, traceparent });
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

function composeRequest(
  deps: RequestDeps,
  { event }: LoadedDelivery,
  endpoint: Endpoint,
  {
    added,
    traceparent,
  }: { readonly added: Readonly<Record<string, string>>; readonly traceparent: string | undefined },
): { request: SendRequest; signed: Readonly<Record<string, string>> } {
  const body = composeBody({
    id: event._id,
    type: event.type,
    data: Buffer.from(event.data.value()),
    timestamp: event.timestamp,
  });
  const open = deps.secretBox.open;
  const signed = signDelivery({
    secrets: {
      current: open(endpoint.secret, endpoint._id),
      next: endpoint.next_secret && open(endpoint.next_secret, endpoint._id),
    },
    body,
    eventId: event._id,
    eventType: event.type,
    timestampSeconds: Math.floor(deps.clock() / 1_000),
  });
  const own = traceparent === undefined ? signed : { ...signed, traceparent };
  return { request: { url: endpoint.url, headers: layOver(added, own), body }, signed };
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

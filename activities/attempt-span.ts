import { deliveryId, type AttemptInput } from '../src/domain/delivery-contract';
import { describeSpan, failSpan, SpanKind, startSpan, type Span } from '../src/platform/tracing';
import type { KnownDelivery } from '../src/record/delivery-store';
import type { SendResult } from '../src/sender/http-sender';

/**
 * Begins the span of an attempt, which continues the trace of its event: retries and replays belong to one trace.
 *
 * Of the URL it has the host only, because path and query may be secret.
 */
export function startAttemptSpan(input: AttemptInput, { delivery, endpoint }: KnownDelivery): Span {
  const span = startSpan('POST', { kind: SpanKind.CLIENT }, delivery.event.traceparent);
  describeSpan(span, () => {
    const { protocol, hostname, port } = new URL(endpoint.url);
    return {
      'http.request.method': 'POST',
      'server.address': hostname,
      'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
      'everpost.account_id': delivery.event.account_id,
      'everpost.event_id': input.eventId,
      'everpost.event_type': delivery.event.type,
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
export function describeAnswer(span: Span, result: SendResult): SendResult {
  const { statusCode, errorCode, resends } = result;
  describeSpan(span, () => ({
    ...(statusCode !== null && { 'http.response.status_code': statusCode }),
    ...(resends > 0 && { 'http.request.resend_count': resends }),
  }));
  if (!result.succeeded) failSpan(span, String(statusCode ?? errorCode));
  return result;
}

import type { StoredEvent } from '../record/event-store';
import type { StoredAnswer } from '../record/attempt-store';

/** Shown in the place of a value that is the owner's secret. */
const HIDDEN = '[hidden]';

/**
 * The headers of an attempt's request, as they were sent: what was kept of them, and what follows from the event.
 * Signatures are those that were sent, whatever became of the secrets since. Values of the endpoint's own headers and its
 * credentials are not kept.
 */
export function sentHeaders(
  event: Pick<StoredEvent, '_id' | 'type'>,
  { sent }: Pick<StoredAnswer, 'sent'>,
): Record<string, string> {
  return {
    ...Object.fromEntries((sent.hidden ?? []).map((name) => [name, HIDDEN])),
    'Content-Type': 'application/json',
    'X-Webhook-ID': String(event._id),
    'X-Webhook-Type': event.type,
    'X-Webhook-Timestamp': String(sent.timestamp),
    'X-Webhook-Signature': sent.signature,
    ...(sent.next_signature !== undefined && { 'X-Webhook-Signature-Next': sent.next_signature }),
    'webhook-id': String(event._id),
    'webhook-timestamp': String(sent.timestamp),
    'webhook-signature': sent.standard_signature,
  };
}

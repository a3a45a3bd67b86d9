import { z } from 'zod';
import type { Tag } from '../http/route';

/**
 * The default body of a delivery, for the document: `composeBody` writes it. Without a name of its own, because
 * oapi-codegen leaves out the schemas that only a webhook refers to, and what it writes for Go would not compile.
 */
export const deliveredView = z.object({
  id: z
    .int()
    .min(1)
    .meta({ format: 'int64', description: 'The event id, the same on every attempt: deduplicate by it.' }),
  type: z.string().meta({ description: 'The event type.' }),
  data: z.record(z.string(), z.unknown()).meta({ description: 'Byte for byte as ingested.' }),
  timestamp: z.int().meta({ description: 'Unix seconds of the ingest.' }),
});

const header = (description: string, example: string) => z.string().meta({ description, example });

/** The headers of a delivery, for the document: `signDelivery` writes them. */
export const deliveredHeaders = z.object({
  'X-Webhook-ID': header('The event id. No signature covers this header: deduplicate by `id` in the body.', '1001'),
  'X-Webhook-Type': header('The event type.', 'order.created'),
  'X-Webhook-Timestamp': header('Unix seconds of this attempt.', '1767225601'),
  'X-Webhook-Signature': header(
    '`sha256=` and the HMAC-SHA256 of the raw body in lower-case hexadecimal, keyed with the signing secret.',
    'sha256=8da8ab248074c2ad658aedc1373f050c3e84874edd8382212dea36d90c4f6de4',
  ),
  'X-Webhook-Signature-Next': header(
    'During a rotation: the same, keyed with the next signing secret.',
    'sha256=8da8ab248074c2ad658aedc1373f050c3e84874edd8382212dea36d90c4f6de4',
  ).optional(),
  'webhook-id': header('Standard Webhooks: the event id.', '1001'),
  'webhook-timestamp': header('Standard Webhooks: Unix seconds of this attempt.', '1767225601'),
  'webhook-signature': header(
    'Standard Webhooks: signatures of `<webhook-id>.<webhook-timestamp>.<body>`; two during a rotation.',
    'v1,yM/HrI9iyv+rFYiiKwNpLlJuQoNGnRdwa72S6cDEcIY=',
  ),
  'X-Webhook-Event-Timestamp': header(
    'Unix seconds of the ingest. Only with the option `body: data`.',
    '1767225600',
  ).optional(),
  traceparent: header(
    'W3C Trace Context: the trace of the event. Only with the option `send_traceparent`.',
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  ).optional(),
});

// A tag of its own: generators make one file for each tag, of operations and of webhooks apart.
export const DELIVERY_TAG: Tag = { name: 'Receiver', description: 'The request that an endpoint receives.' };

/** What receivers get and answer, without schemas. */
export const DELIVERY_WEBHOOK = {
  operationId: 'receiveDelivery',
  tags: [DELIVERY_TAG.name],
  // Keeps openapi-generator from making a call of it, which for Python does not even parse.
  'x-internal': true,
  summary: 'Receive a delivery',
  description:
    'The POST that an endpoint gets for each matching event. Verify the signature over the raw body, ' +
    'deduplicate by the id, and answer 2xx within 30 seconds; anything else is retried. The headers of the ' +
    "endpoint's options are added. The body is the default one: with the option `body` it is `data` alone, the body of " +
    'Standard Webhooks, or a CloudEvent.',
  responses: {
    '2XX': { description: 'Delivered. The body is ignored.' },
    default: { description: 'Not delivered: the next attempt follows the schedule. Redirects are not followed.' },
  },
};

/** A body of a delivery. */
export const DELIVERED_EXAMPLE = {
  id: 1_001,
  type: 'order.created',
  data: { order_id: 'ord_42', total: 19.99 },
  timestamp: 1_767_225_600,
};

import { z } from 'zod';
import { HELD_REASONS } from '../domain/delivery-contract';
import { ATTEMPT_ERROR_CODES } from '../domain/delivery-state';
import { listQuery, nextCursor, timeParam } from '../http/list-query';
import { attemptView, eventIdView, heldReason } from './schema';

const DEFAULT_LIMIT = 20;
const OUTCOMES = ['succeeded', 'failed'] as const;
const STATUS_RULE = 'must be a status of HTTP, from 100 to 599';

/** Query of GET /api/v1/webhooks/endpoints/{endpoint_id}/attempts. */
export const attemptListQuery = listQuery(DEFAULT_LIMIT).extend({
  outcome: z
    .enum(OUTCOMES, `must be one of ${OUTCOMES.join(', ')}`)
    .optional()
    .meta({ description: 'Only attempts with this outcome.' }),
  error_code: z
    .enum(ATTEMPT_ERROR_CODES, `must be one of ${ATTEMPT_ERROR_CODES.join(', ')}`)
    .optional()
    .meta({ description: 'Only attempts that failed with this error.' }),
  status_code: z
    .string()
    .regex(/^[1-5]\d\d$/, STATUS_RULE)
    .transform(Number)
    .optional()
    .meta({ description: 'Only attempts that the receiver answered with this status.', example: '503' }),
  after: timeParam.optional().meta({ description: 'Only attempts that started at or after this time.' }),
  before: timeParam.optional().meta({ description: 'Only attempts that started before this time.' }),
});

/** An attempt in the list of an endpoint. */
const attemptOfEndpointView = attemptView
  .extend({
    delivery_id: z.string(),
    event_id: eventIdView,
    event_type: z.string().nullable().meta({ description: 'Null if the event has just been deleted.' }),
    succeeded: z.boolean(),
  })
  .meta({ id: 'AttemptOfEndpoint' });

/** The answer of GET /api/v1/webhooks/endpoints/{endpoint_id}/attempts. */
export const attemptListView = z
  .object({ attempts: z.array(attemptOfEndpointView), next_cursor: nextCursor })
  .meta({ id: 'AttemptPage' });

/** The answer of POST /api/v1/webhooks/endpoints/{endpoint_id}/cancel-deliveries. */
export const cancelledView = z
  .object({
    endpoint_id: z.string(),
    cancelled: z.int().meta({ description: 'The deliveries that this call cancelled.' }),
    complete: z.boolean().meta({ description: 'False if there may be more: repeat the call.' }),
  })
  .meta({ id: 'CancelledDeliveries' });

/** The answer of GET /api/v1/webhooks/endpoints/{endpoint_id}/waiting. */
export const waitingView = z
  .object({
    endpoint_id: z.string(),
    complete: z.boolean().meta({ description: 'False once 10,000 are counted: there may be more.' }),
    held: z
      .array(
        z
          .object({
            reason: heldReason,
            deliveries: z.int(),
            since: z.iso
              .datetime()
              .nullable()
              .meta({ description: 'Since when the first of them is held; null if that is not known.' }),
          })
          .meta({ id: 'HeldDeliveries' }),
      )
      .max(HELD_REASONS.length)
      .meta({ description: 'Deliveries that the endpoint can not take now, by the reason; the most first.' }),
    scheduled: z.int().meta({ description: 'Deliveries that wait for the time of their next attempt.' }),
    next_attempt_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the next attempt of those is due; null if there are none.' }),
    due: z.int().meta({ description: 'Deliveries whose attempt is due now or under way.' }),
    behind_event_id: z.int().nullable().meta({
      description: 'If deliveries are held `in_line`: the event that is first in the line. Otherwise null.',
    }),
  })
  .meta({ id: 'WaitingDeliveries' });

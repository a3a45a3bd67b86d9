import { z } from 'zod';
import { deliveryStateView, endpointId, eventIdView } from '../deliveries/schema';
import { EXAMPLE_ID } from '../http/route';
import { NO_DELIVERY_REASONS } from './explain-endpoint';

/** Conditions in an explanation: a filter may have a hundred. */
export const MAX_CONDITIONS = 10;

const reason = z.enum(NO_DELIVERY_REASONS).meta({
  id: 'NoDeliveryReason',
  description:
    '`created_later`: the endpoint was created after the event was accepted. `type_not_matched`: none of its patterns matches ' +
    'the type. `filter_refused`: its filter refuses the data. `test_event`: the event is a test of one endpoint. ' +
    '`matches_now`: patterns and filter match now, so they were others when the event was accepted.',
});

const condition = z
  .object({
    path: z.string().meta({ description: 'Its place in the filter.', example: 'total.$gte' }),
    field: z.string().meta({ description: 'The path to the field.', example: 'total' }),
    operator: z.string().meta({ example: '$gte' }),
    operand: z.unknown().meta({ description: 'What the filter compares with.', example: 1_000 }),
    found: z.string().nullable().meta({
      description: 'What the event has in this field, as JSON, cut off after 200 characters; null for nothing.',
      example: '19.99',
    }),
  })
  .meta({ id: 'FilterCondition' });

/** The answer of GET /api/v1/webhooks/events/{event_id}/endpoints/{endpoint_id}. */
export const explanationView = z
  .object({
    event_id: eventIdView,
    endpoint_id: z.string(),
    delivery: deliveryStateView.nullable().meta({ description: 'Null if the endpoint did not get the event.' }),
    reasons: z.array(reason).meta({ description: 'Why there is no delivery; empty if there is one.' }),
    patterns: z.array(z.string()).meta({ description: 'The patterns of the endpoint now.' }),
    conditions: z
      .array(condition)
      .max(MAX_CONDITIONS)
      .meta({
        description:
          `The conditions by which the filter refuses the event, at most ${MAX_CONDITIONS}. Below \`$nor\` they are those ` +
          'that are met, elsewhere those that are not. Of the alternatives of an `$or`, one would be enough.',
      }),
    changed_since: z.boolean().meta({
      description: 'Whether the endpoint was changed after the event was accepted.',
    }),
  })
  .meta({ id: 'DeliveryExplanation' });

/** Body of POST /api/v1/webhooks/events/{event_id}/deliveries. */
export const createDeliveryBody = z
  .strictObject({
    endpoint_id: endpointId.meta({ description: 'The endpoint that gets the event.', example: `ep_${EXAMPLE_ID}` }),
  })
  .meta({ id: 'NewDelivery' });

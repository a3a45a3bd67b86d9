import type { z } from 'zod';
import { REPLAYED_EXAMPLE } from '../deliveries/examples';
import { presentDelivery, presentDeliveryState } from '../deliveries/present';
import { deliveryView } from '../deliveries/schema';
import type { RetrySchedule } from '../domain/retry-schedule';
import { ENDPOINT_EXAMPLE } from '../endpoints/examples';
import { endpointParams } from '../endpoints/params';
import { addOperation } from '../http/operation';
import type { Api, ErrorExample } from '../http/route';
import { createDelivery, type CreateDeliveryDeps } from './create-delivery';
import { explainEndpoint, type ExplainDeps, type Explanation } from './explain-endpoint';
import { createDeliveryBody, explanationView, MAX_CONDITIONS } from './explanation-schema';
import { eventParams } from './params';
import { EVENTS_TAG } from './tag';

const PATH = '/api/v1/webhooks/events/{event_id}';

export type EventEndpointRouteDeps = ExplainDeps & CreateDeliveryDeps & { readonly schedule: RetrySchedule };

const NOT_FOUND = 'The event or the endpoint does not exist, or belongs to another account.';

/** Adds the operations on an event and one endpoint. */
export function addEventEndpointRoutes(api: Api, deps: EventEndpointRouteDeps): void {
  addExplain(api, deps);
  addCreateDelivery(api, deps);
}

const DATA_ERASED: ErrorExample = {
  error: 'The data of this event was erased: there is nothing to send or to look at. Its deliveries and attempts stay.',
  code: 'data_erased',
};

const EXPLANATION_EXAMPLE = {
  event_id: 1_001,
  endpoint_id: ENDPOINT_EXAMPLE.id,
  delivery: null,
  reasons: ['filter_refused'],
  patterns: ENDPOINT_EXAMPLE.events,
  conditions: [{ path: 'total.$gte', field: 'total', operator: '$gte', operand: 1_000, found: '19.99' }],
  changed_since: false,
};

function addExplain(api: Api, deps: EventEndpointRouteDeps): void {
  addOperation(
    api,
    {
      id: 'explainDelivery',
      method: 'get',
      path: `${PATH}/endpoints/{endpoint_id}`,
      // It shows the endpoint's patterns and conditions.
      scopes: ['events:read', 'endpoints:read'],
      tag: EVENTS_TAG,
      summary: 'Explain why an endpoint got an event or not',
      description:
        'The delivery of the event to the endpoint, or the reasons why there is none. The reasons come from the present ' +
        'patterns and filter of the endpoint: with `changed_since`, others may have decided. A paused or disabled endpoint ' +
        'gets every event that matches: its delivery is held.',
      params: { ...eventParams, ...endpointParams },
      answers: { 200: { description: 'The explanation.', schema: explanationView, example: EXPLANATION_EXAMPLE } },
      errors: {
        400: 'The event id is not an integer.',
        404: NOT_FOUND,
        409: "The endpoint's filter decided, and the data of the event was erased.",
        422: 'The filter of the endpoint would take too long for the data of the event.',
      },
      errorExamples: {
        409: DATA_ERASED,
        422: {
          error:
            "The filters of this account's endpoints compare with 100 values, which takes too long for the 5000 values in the " +
            'lists of the data. Send shorter lists, nest them less, or simplify the filters.',
          code: 'filters_too_costly',
        },
      },
    },
    async ({ params: { event_id: eventId, endpoint_id: endpointId }, caller }) => {
      const found = await explainEndpoint(deps, caller.accountId, { eventId, endpointId });
      return presentExplanation(found, deps.schedule.length);
    },
  );
}

function presentExplanation(
  { event, endpoint, destination, reasons, refusedBy, changedSince }: Explanation,
  maxAttempts: number,
): z.output<typeof explanationView> {
  return {
    event_id: event._id,
    endpoint_id: endpoint._id,
    delivery: destination ? presentDeliveryState(event._id, destination, maxAttempts) : null,
    reasons: [...reasons],
    patterns: [...endpoint.events],
    conditions: refusedBy.slice(0, MAX_CONDITIONS).map(({ found, ...condition }) => ({ ...condition, found: found() })),
    changed_since: changedSince,
  };
}

function addCreateDelivery(api: Api, deps: EventEndpointRouteDeps): void {
  addOperation(
    api,
    {
      id: 'createDelivery',
      method: 'post',
      path: `${PATH}/deliveries`,
      scopes: ['deliveries:write'],
      tag: EVENTS_TAG,
      summary: 'Send an event to one more endpoint',
      description:
        'Delivers a stored event to an endpoint that did not get it, whatever its patterns and filter. The delivery is like ' +
        'any other: signed, retried, and held while the endpoint is paused. An ordered endpoint gets it in the order in ' +
        'which events were accepted. Of two concurrent calls, one creates the delivery.',
      params: eventParams,
      body: createDeliveryBody,
      bodyExample: { endpoint_id: ENDPOINT_EXAMPLE.id },
      audit: 'delivery.created',
      auditsAnswer: true,
      answers: {
        202: { description: 'The new delivery.', schema: deliveryView, example: { ...REPLAYED_EXAMPLE, run: 1 } },
      },
      errors: {
        400: 'The event id is not an integer, or the body is malformed.',
        404: NOT_FOUND,
        409: 'The event has a delivery to the endpoint, or 1,000 deliveries, or its data was erased.',
      },
      errorExamples: {
        409: {
          error: 'This event has a delivery to this endpoint. Replay that delivery to send it again.',
          code: 'delivery_exists',
        },
      },
    },
    async ({ params: { event_id: eventId }, body: { endpoint_id: endpointId }, caller }) => {
      return presentDelivery(await createDelivery(deps, caller, { eventId, endpointId }), deps.schedule.length);
    },
  );
}

import type { RetrySchedule } from '../domain/retry-schedule';
import { addOperation } from '../http/operation';
import type { Api } from '../http/route';
import { DELIVERY_NOT_FOUND, REPLAYED_EXAMPLE } from '../deliveries/examples';
import { presentDelivery } from '../deliveries/present';
import type { ReplayDeliveryDeps } from '../deliveries/replay-delivery';
import { replayEvent } from './replay-event';
import { replayEventBody, replayEventView } from '../deliveries/schema';
import { eventParams } from './params';
import { EVENTS_TAG } from './tag';

/** Adds the operations on all deliveries of an event. */
export function addEventDeliveryRoutes(
  api: Api,
  deps: ReplayDeliveryDeps & { readonly schedule: RetrySchedule },
): void {
  addOperation(
    api,
    {
      id: 'replayEvent',
      method: 'post',
      path: '/api/v1/webhooks/events/{event_id}/replay',
      scopes: ['deliveries:write'],
      tag: EVENTS_TAG,
      summary: 'Send an event again',
      description:
        'Starts a new run of each finished delivery of the event, or of those to the given endpoints. Unfinished ' +
        'deliveries continue unchanged, and are listed in `skipped`. Endpoints that did not get the event do not get it now: see `createDelivery`.',
      params: eventParams,
      body: replayEventBody,
      bodyIsOptional: true,
      bodyExample: { endpoint_ids: [REPLAYED_EXAMPLE.endpoint_id] },
      audit: 'event.replayed',
      answers: {
        202: {
          description: 'The deliveries that start a new run, and those that do not.',
          schema: replayEventView,
          example: { deliveries: [REPLAYED_EXAMPLE], skipped: [] },
        },
      },
      errors: {
        400: 'The event id is not an integer, or the body is malformed.',
        404: 'The event does not exist, belongs to another account, or has no delivery to a given endpoint.',
        409: 'The event has no delivery that can be replayed, or its data was erased.',
      },
      errorExamples: {
        404: {
          ...DELIVERY_NOT_FOUND,
          error: `This event has no delivery to the endpoint ${REPLAYED_EXAMPLE.endpoint_id}.`,
        },
        409: {
          error:
            'No delivery of this event can be replayed: it has none, they are not finished, have had 100 runs, or their endpoints were removed.',
          code: 'nothing_to_replay',
        },
      },
    },
    async ({ params, body, caller }) => {
      const { replayed, skipped } = await replayEvent(deps, caller, {
        eventId: params.event_id,
        endpointIds: body.endpoint_ids,
      });
      return {
        deliveries: replayed.map((it) => presentDelivery(it, deps.schedule.length)),
        skipped: skipped.map(({ id, error }) => ({ id, code: error.code, error: error.message })),
      };
    },
  );
}

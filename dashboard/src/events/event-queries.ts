import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { scanJson } from '../../../src/domain/raw-json';
import type { Delivery, DeliveryExplanation, Endpoint, EventList, EventWithDeliveries } from '../api/answers';
import { callApi, callApiForText } from '../api/call-api';
import { inTurn } from '../api/in-turn';
import { refreshDeliveries } from '../deliveries/delivery-queries';
import { queryOf, type ListFilter } from '../elements/list-filter';
import type { LiveList } from '../live/live-list';

const PATH = '/dashboard/api/webhooks/events';

/** An event as lists have it. */
export type ListedEvent = EventList['events'][number];

/** Events, newest first. */
export function eventsList(filter: ListFilter): LiveList<ListedEvent> {
  return {
    queryKey: ['events', filter],
    ask: async (cursor) => {
      const { events, next_cursor: next } = await callApi<EventList>(`${PATH}?${queryOf(filter, cursor)}`);
      return { rows: events, next };
    },
    idOf: ({ id }) => String(id),
  };
}

/** Sends the finished deliveries of several events again. */
export function useReplayEvents() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ids: readonly string[]) => inTurn(ids, (id) => callApi(`${PATH}/${id}/replay`, { method: 'POST' })),
    onSettled: () => refreshDeliveries(client),
  });
}

/** Why an endpoint did not get an event. It is asked again when the endpoint has changed. */
export function explanationQuery(eventId: number, { id, updated_at: updatedAt }: Endpoint) {
  return queryOptions({
    queryKey: ['explanations', eventId, id, updatedAt],
    queryFn: () => callApi<DeliveryExplanation>(`${PATH}/${eventId}/endpoints/${id}`),
  });
}

/** Sends an event to one more endpoint. */
export function useCreateDelivery(eventId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (endpointId: string) =>
      callApi<Delivery>(`${PATH}/${eventId}/deliveries`, { method: 'POST', body: { endpoint_id: endpointId } }),
    onSettled: () => refreshDeliveries(client),
  });
}

/** An event with its deliveries, and the text of its `data` as it was sent. */
export function eventQuery(id: string) {
  return queryOptions({
    queryKey: ['events', 'one', id],
    queryFn: async () => {
      const text = await callApiForText(`${PATH}/${encodeURIComponent(id)}`);
      const event = JSON.parse(text) as EventWithDeliveries;
      return { event, dataText: rawMember(text, 'data') };
    },
  });
}

/** The raw text of a member of a JSON object: parsing it would change big numbers. */
function rawMember(json: string, name: string): string {
  const bytes = new TextEncoder().encode(json);
  const member = scanJson(bytes).members.find((candidate) => candidate.name === name);
  return member ? new TextDecoder().decode(bytes.subarray(member.start, member.end)) : '';
}

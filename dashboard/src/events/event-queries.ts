import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { scanJson } from '../../../src/domain/raw-json';
import type { EventList, EventWithDeliveries } from '../api/answers';
import { callApi, callApiForText } from '../api/call-api';
import { queryOf, type ListFilter } from '../elements/list-filter';

const PATH = '/dashboard/api/webhooks/events';

/** Events, newest first. */
export function eventsQuery(filter: ListFilter) {
  return infiniteQueryOptions({
    queryKey: ['events', 'list', filter],
    queryFn: ({ pageParam }) => callApi<EventList>(`${PATH}?${queryOf(filter, pageParam)}`),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
}

/** An event with its deliveries, and the text of its `data` as it was sent. */
export function eventQuery(id: string) {
  return queryOptions({
    queryKey: ['events', 'one', id],
    queryFn: async () => {
      const text = await callApiForText(`${PATH}/${encodeURIComponent(id)}`);
      return { event: JSON.parse(text) as EventWithDeliveries, dataText: rawMember(text, 'data') };
    },
  });
}

/** The raw text of a member of a JSON object: parsing it would change big numbers. */
function rawMember(json: string, name: string): string {
  const bytes = new TextEncoder().encode(json);
  const member = scanJson(bytes).members.find((candidate) => candidate.name === name);
  return member ? new TextDecoder().decode(bytes.subarray(member.start, member.end)) : '';
}

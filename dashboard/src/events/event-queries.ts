import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { scanJson } from '../../../src/domain/raw-json';
import { bodyAround } from '../../../src/domain/sent-request';
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

/** An event with its deliveries, the text of its `data` as it was sent, and that of the body that endpoints get. */
export function eventQuery(id: string) {
  return queryOptions({
    queryKey: ['events', 'one', id],
    queryFn: async () => {
      const text = await callApiForText(`${PATH}/${encodeURIComponent(id)}`);
      const event = JSON.parse(text) as EventWithDeliveries;
      const dataText = rawMember(text, 'data');
      const { before, after } = bodyAround(event);
      return { event, dataText, bodyText: `${before}${dataText}${after}` };
    },
  });
}

/** The raw text of a member of a JSON object: parsing it would change big numbers. */
function rawMember(json: string, name: string): string {
  const bytes = new TextEncoder().encode(json);
  const member = scanJson(bytes).members.find((candidate) => candidate.name === name);
  return member ? new TextDecoder().decode(bytes.subarray(member.start, member.end)) : '';
}

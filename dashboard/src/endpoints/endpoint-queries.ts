import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  CreatedEndpoint,
  Endpoint,
  EndpointHealthList,
  EndpointHistory,
  EndpointList,
  EndpointSecret,
  EndpointStats,
  EventTypes,
} from '../api/answers';
import { callApi } from '../api/call-api';
import type { EndpointBody } from './endpoint-draft';

const PATH = '/dashboard/api/webhooks/endpoints';

/** All endpoints: an account has at most 100, which is one page. */
export const endpointsQuery = queryOptions({
  queryKey: ['endpoints', 'list'],
  queryFn: () => callApi<EndpointList>(PATH),
});

export function endpointQuery(id: string) {
  return queryOptions({
    queryKey: ['endpoints', 'one', id],
    queryFn: () => callApi<Endpoint>(`${PATH}/${encodeURIComponent(id)}`),
  });
}

export function endpointStatsQuery(id: string, window: string) {
  return queryOptions({
    queryKey: ['deliveries', 'stats', id, window],
    queryFn: () => callApi<EndpointStats>(`${PATH}/${id}/stats?window=${window}`),
  });
}

/** How every endpoint does, with its last 24 hours. */
export const endpointHealthListQuery = queryOptions({
  queryKey: ['health', 'list'],
  queryFn: () => callApi<EndpointHealthList>('/dashboard/api/endpoint-health'),
});

/** How an endpoint does, with its last 24 hours. */
export function endpointHistoryQuery(id: string) {
  return queryOptions({
    queryKey: ['health', 'one', id],
    queryFn: () => callApi<EndpointHistory>(`${PATH}/${encodeURIComponent(id)}/health`),
  });
}

/** Types of recent events: what patterns can be tried on. */
export const eventTypesQuery = queryOptions({
  queryKey: ['event-types'],
  queryFn: () => callApi<EventTypes>('/dashboard/api/event-types'),
});

/** An account's endpoints are looked at again after every change. */
function useEndpointMutation<Answer, Input = void>(call: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSuccess: () => {
      // Nobody waits for it.
      for (const key of ['health', 'overview']) void client.invalidateQueries({ queryKey: [key] });
      return client.invalidateQueries({ queryKey: ['endpoints'] });
    },
    // Answers hold secrets: they must not stay in the page's memory.
    gcTime: 0,
  });
}

export function useCreateEndpoint() {
  return useEndpointMutation((body: EndpointBody) => callApi<CreatedEndpoint>(PATH, { method: 'POST', body }));
}

export function useChangeEndpoint(id: string) {
  return useEndpointMutation((body: EndpointBody) => callApi<Endpoint>(`${PATH}/${id}`, { method: 'PATCH', body }));
}

export function useRemoveEndpoint(id: string) {
  return useEndpointMutation(() => callApi<void>(`${PATH}/${id}`, { method: 'DELETE' }));
}

export function useEndpointState(id: string) {
  return useEndpointMutation((verb: 'pause' | 'resume' | 'verify') =>
    callApi<Endpoint>(`${PATH}/${id}/${verb}`, { method: 'POST' }),
  );
}

/** Sends a test event. The answer names it. */
export function useSendTest(id: string) {
  return useEndpointMutation(() => callApi<{ readonly id: number }>(`${PATH}/${id}/test`, { method: 'POST' }));
}

/** Shows the signing secrets, makes the next one, or switches to it. */
export function useSecret(id: string) {
  return useEndpointMutation((verb: 'reveal' | 'rotate' | 'activate') =>
    verb === 'reveal'
      ? callApi<EndpointSecret>(`${PATH}/${id}/secret`)
      : callApi<EndpointSecret>(`${PATH}/${id}/secret/${verb}`, { method: 'POST' }),
  );
}

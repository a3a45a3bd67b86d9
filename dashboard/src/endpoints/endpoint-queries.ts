import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { HealthWindow } from '../../../src/domain/health-windows';
import type {
  AttemptList,
  AttemptOfEndpoint,
  CreatedEndpoint,
  Endpoint,
  EndpointHealth,
  EndpointHealthList,
  EndpointHistory,
  EndpointList,
  EndpointSecret,
  EndpointWaiting,
  EventTypes,
  FailureStart,
  WaitingDeliveries,
} from '../api/answers';
import { callApi } from '../api/call-api';
import { historyQuery } from '../charts/history';
import { queryOf, type ListFilter } from '../elements/list-filter';
import type { LiveList } from '../live/live-list';
import { changeUnlessChanged } from './change-unless-changed';
import type { EndpointBody } from './endpoint-draft';

export const PATH = '/dashboard/api/webhooks/endpoints';
const HEALTH_PATH = '/dashboard/api/endpoint-health';

/** All endpoints. Most accounts have at most 100, which is one page; a tier can allow 1,000. */
export const endpointsQuery = queryOptions({
  queryKey: ['endpoints', 'list'],
  queryFn: async () => {
    const endpoints: Endpoint[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const path = cursor === undefined ? PATH : `${PATH}?${new URLSearchParams({ cursor })}`;
      const page: EndpointList = await callApi<EndpointList>(path);
      endpoints.push(...page.endpoints);
      cursor = page.next_cursor;
    }
    return { endpoints };
  },
});

/** All endpoints by id; empty until they are loaded. */
export function useEndpoints(): ReadonlyMap<string, Endpoint> {
  const { data } = useQuery(endpointsQuery);
  return new Map((data?.endpoints ?? []).map((endpoint) => [endpoint.id, endpoint]));
}

export function endpointQuery(id: string) {
  return queryOptions({
    queryKey: ['endpoints', 'one', id],
    queryFn: () => callApi<Endpoint>(`${PATH}/${encodeURIComponent(id)}`),
  });
}

/** What waits for an endpoint, and why. */
export function waitingQuery(id: string) {
  return queryOptions({
    queryKey: ['deliveries', 'waiting', id],
    queryFn: () => callApi<WaitingDeliveries>(`${PATH}/${encodeURIComponent(id)}/waiting`),
  });
}

const ATTEMPT_ROWS = 20;

/** The attempts to an endpoint, newest first: all, or those with one cause. */
export function attemptsList(id: string, cause: ListFilter): LiveList<AttemptOfEndpoint> {
  return {
    queryKey: ['deliveries', 'attempts', id, cause],
    ask: async (cursor) => {
      const query = queryOf({ ...cause, limit: String(ATTEMPT_ROWS) }, cursor);
      const answer = await callApi<AttemptList>(`${PATH}/${encodeURIComponent(id)}/attempts?${query}`);
      return { rows: answer.attempts, next: answer.next_cursor };
    },
    idOf: ({ delivery_id: delivery, run, number }) => `${delivery}/${run}/${number}`,
    pageRows: ATTEMPT_ROWS,
  };
}

/** The health of every endpoint, with its last 24 hours. */
export const endpointHealthListQuery = queryOptions({
  queryKey: ['health', 'list'],
  queryFn: () => callApi<EndpointHealthList>(HEALTH_PATH),
});

/** How many deliveries wait for each endpoint. Reloaded with the overview, which has the account's whole backlog. */
export const endpointWaitingQuery = queryOptions({
  queryKey: ['overview', 'waiting'],
  queryFn: () => callApi<EndpointWaiting>('/dashboard/api/endpoint-waiting'),
});

/** When the first of an endpoint's failures in a row was. Its own health says so only while it fails. */
export function useFailingSince(id: string, { state, since, failed_in_a_row: inARow }: EndpointHealth) {
  const isAsked = state !== 'failing' && inARow > 0;
  const { data, isLoading } = useQuery({
    queryKey: ['health', 'failure-start', id],
    queryFn: () => callApi<FailureStart>(`${HEALTH_PATH}/${encodeURIComponent(id)}`),
    enabled: isAsked,
  });
  const start = isAsked ? (data?.failing_since ?? null) : null;
  return { failingSince: state === 'failing' ? since : start, isLoading };
}

/** The health of an endpoint, with its attempts of a window. */
export function endpointHistoryQuery(id: string, window: HealthWindow) {
  return queryOptions({
    queryKey: ['health', 'one', id, window],
    queryFn: () => callApi<EndpointHistory>(`${PATH}/${encodeURIComponent(id)}/health?${historyQuery(window)}`),
    // Another window leaves the page as high as it is until its answer is there.
    placeholderData: keepPreviousData,
  });
}

/** Types of the last 30 days: what patterns can be tried on. */
export const eventTypesQuery = queryOptions({
  queryKey: ['event-types'],
  queryFn: () => callApi<EventTypes>('/dashboard/api/event-types'),
});

/** An account's endpoints are looked at again after every change. */
export function useEndpointMutation<Answer, Input = void>(call: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSuccess: () => {
      // The page doesn't wait for it.
      for (const key of [['health'], ['overview'], ['deliveries', 'waiting']]) {
        void client.invalidateQueries({ queryKey: key });
      }
      return client.invalidateQueries({ queryKey: ['endpoints'] });
    },
    // Answers hold secrets: they must not stay in the page's memory.
    gcTime: 0,
  });
}

export function useCreateEndpoint() {
  return useEndpointMutation((body: EndpointBody) => callApi<CreatedEndpoint>(PATH, { method: 'POST', body }));
}

/** Changes an endpoint, or finds out what others changed while its form was open. */
export function useChangeEndpoint(id: string) {
  return useEndpointMutation(({ body, opened }: { readonly body: EndpointBody; readonly opened: Endpoint }) =>
    changeUnlessChanged(`${PATH}/${id}`, body, opened),
  );
}

export function useRemoveEndpoint(id: string) {
  return useEndpointMutation(() => callApi<void>(`${PATH}/${id}`, { method: 'DELETE' }));
}

export function useEndpointState(id: string) {
  return useEndpointMutation((verb: 'pause' | 'resume' | 'verify') =>
    callApi<Endpoint>(`${PATH}/${id}/${verb}`, { method: 'POST' }),
  );
}

/** Pauses an endpoint, and says why in the audit log. */
export function usePause(id: string) {
  return useEndpointMutation((reason: string) =>
    callApi<Endpoint>(`${PATH}/${id}/pause`, { method: 'POST', body: reason === '' ? {} : { reason } }),
  );
}

/** A test event of a type or with data of its own. */
interface TestEvent {
  readonly type?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Sends a test event: without a body, that of every endpoint. The answer names it. */
export function useSendTest(id: string) {
  return useEndpointMutation((body: TestEvent | void) =>
    callApi<{ readonly id: number; readonly type: string }>(`${PATH}/${id}/test`, {
      method: 'POST',
      ...(body && { body }),
    }),
  );
}

/** Shows the signing secrets, makes the next one, or switches to it. */
export function useSecret(id: string) {
  return useEndpointMutation((verb: 'reveal' | 'rotate' | 'activate') =>
    verb === 'reveal'
      ? callApi<EndpointSecret>(`${PATH}/${id}/secret`)
      : callApi<EndpointSecret>(`${PATH}/${id}/secret/${verb}`, { method: 'POST' }),
  );
}

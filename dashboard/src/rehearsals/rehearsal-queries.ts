import { queryOptions } from '@tanstack/react-query';
import type { Rehearsal } from '../api/answers';
import { callApi } from '../api/call-api';
import type { EndpointBody } from '../endpoints/endpoint-draft';

const PATH = '/dashboard/api/webhooks/rehearsals';
/** A rehearsal ends after at most 30 seconds. */
const ASK_AGAIN_MS = 1_000;

/** A change of an endpoint: its id, or none for a new one, and what would be sent. */
export type RehearsedChange = EndpointBody & { readonly id?: string };

/** The result of a rehearsal, however long it takes. */
export function rehearsalQuery(change: RehearsedChange) {
  return queryOptions({
    queryKey: ['rehearsals', change],
    queryFn: async ({ signal }) => {
      const body = { change: { endpoint: change } };
      let rehearsal = await callApi<Rehearsal>(PATH, { method: 'POST', body, signal });
      while (rehearsal.state === 'running') {
        await waited(signal);
        rehearsal = await callApi<Rehearsal>(`${PATH}/${rehearsal.id}`, { signal });
      }
      if (rehearsal.result) return rehearsal.result;
      throw new Error(rehearsal.error);
    },
    retry: false,
    refetchOnWindowFocus: false,
    // A change may hold a password, which must not stay in the page's memory.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function waited(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ASK_AGAIN_MS);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

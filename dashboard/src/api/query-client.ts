import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './call-api';

const RETRIES = 2;
const FRESH_MS = 10_000;
/** Asks the server even when the browser thinks that it is offline: the server may be on this machine. */
const NETWORK_MODE = 'always';

/** What the page knows of the server, and for how long it believes it. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        networkMode: NETWORK_MODE,
        // A refusal will be one again; a server that was away may be back.
        retry: (count, error) => count < RETRIES && !(error instanceof ApiProblem && isRefusal(error.status)),
      },
      mutations: { networkMode: NETWORK_MODE },
    },
  });
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

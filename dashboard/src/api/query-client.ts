import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './call-api';

const RETRIES = 2;
const FRESH_MS = 10_000;
/** The cache of the server's answers, and how long an answer is fresh. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // After a broken connection, useLiveUpdates asks for everything.
        refetchOnReconnect: false,
        // A refused request would be refused again; a server that was down may be back. After 15 s, the user is told.
        retry: (count, error) => count < RETRIES && !(error instanceof ApiProblem && isFinal(error)),
      },
      // An action fails at once while the server is away; it isn't done later, when the user doesn't expect it.
      mutations: { networkMode: 'always' },
    },
  });
}

function isFinal({ status, code }: ApiProblem): boolean {
  return (status >= 400 && status < 500) || code === 'timed_out';
}

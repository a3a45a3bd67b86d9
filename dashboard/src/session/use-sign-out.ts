import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { callApi } from '../api/call-api';
import { forgetRecentSearches } from '../search/recent-searches';
import { meQuery, signOutKey } from './session-queries';

/** Ends the session, forgets what was shown in it, and goes to the sign-in page. */
export function useSignOut() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationKey: signOutKey,
    mutationFn: async () => {
      const me = client.getQueryData(meQuery.queryKey);
      await callApi<void>('/dashboard/api/sign-out', { method: 'POST' });
      if (me) forgetRecentSearches(me.account.id);
    },
    onSuccess: async () => {
      // Not the mutations: the sign-out is under way until the page is another one.
      client.getQueryCache().clear();
      await navigate({ to: '/dashboard/sign-in' });
    },
  });
}

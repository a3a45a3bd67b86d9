import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { callApi } from '../api/call-api';
import { forgetRecentSearches } from '../search/recent-searches';
import { meQuery } from './session-queries';

/** Ends the session, forgets what was shown in it, and goes to the sign-in page. */
export function useSignOut() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => callApi<void>('/dashboard/api/sign-out', { method: 'POST' }),
    onSuccess: async () => {
      const me = client.getQueryData(meQuery.queryKey);
      if (me) forgetRecentSearches(me.account.id);
      client.clear();
      await navigate({ to: '/dashboard/sign-in' });
    },
  });
}

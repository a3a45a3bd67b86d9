import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { callApi } from '../api/call-api';

/** Ends the session, forgets what was shown in it, and goes to the sign-in page. */
export function useSignOut() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => callApi<void>('/dashboard/api/sign-out', { method: 'POST' }),
    onSuccess: async () => {
      client.clear();
      await navigate({ to: '/dashboard/sign-in' });
    },
  });
}

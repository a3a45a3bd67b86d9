import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callApi } from '../api/call-api';

/** Written whenever the session shows another account: the browser tells its other tabs of it. */
const STORAGE_KEY = 'everpost-viewed';

/** For operators: shows another account, read-only. @param page of the account, which is opened first */
export function useViewAccount(accountId: string, page?: string) {
  return useMutation({
    mutationFn: () => callApi(`/dashboard/api/accounts/${accountId}/view`, { method: 'POST' }),
    onSuccess: () => reload(page),
  });
}

/** Shows the user's own account again. */
export function useLeaveAccount() {
  return useMutation({
    mutationFn: () => callApi('/dashboard/api/view', { method: 'DELETE' }),
    onSuccess: () => reload(),
  });
}

/** Loads everything anew: nothing of one account may be seen in the other. */
function reload(page = '/dashboard'): void {
  localStorage.setItem(STORAGE_KEY, new Date().toISOString());
  location.assign(page);
}

/** Reloads this tab when another one shows another account: the session is the same. */
export function useFollowedView(): void {
  useEffect(() => {
    const follow = ({ key }: StorageEvent): void => {
      if (key === STORAGE_KEY) location.assign('/dashboard');
    };
    addEventListener('storage', follow);
    return () => removeEventListener('storage', follow);
  }, []);
}

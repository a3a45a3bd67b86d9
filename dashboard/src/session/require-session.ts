import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { ApiProblem } from '../api/call-api';
import { meQuery } from './session-queries';

/**
 * For `beforeLoad` of pages that need a signed-in user.
 *
 * @throws a redirect to the sign-in page, which says why, and leads back to `href`
 */
export async function requireSession(client: QueryClient, href: string): Promise<void> {
  try {
    await client.query({ ...meQuery, staleTime: 'static' });
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) {
      throw redirect({ to: '/dashboard/sign-in', search: { next: href } });
    }
    if (error instanceof ApiProblem && error.code === 'account_suspended') {
      throw redirect({ to: '/dashboard/sign-in', search: { next: href, why: 'suspended' } });
    }
    throw error;
  }
}

/** Where to go after the sign-in: a page of the dashboard, whatever the address says. */
export function nextPage(wish: unknown): string {
  return typeof wish === 'string' && /^\/dashboard(\/(?!sign-)[^\\]*|\?[^\\]*)?$/.test(wish) ? wish : '/dashboard';
}

import { queryOptions } from '@tanstack/react-query';
import type { Me, SessionList, Status } from '../api/answers';
import { callApi } from '../api/call-api';

/** Who is signed in; an `ApiProblem` with status 401 without a session. */
export const meQuery = queryOptions({ queryKey: ['me'], queryFn: () => callApi<Me>('/dashboard/api/me') });

/** What every page knows of its session: in the portal there is no user, and no Temporal. */
type Viewer = Pick<Me, 'scopes' | 'retry_schedule'> &
  Partial<Pick<Me, 'user' | 'temporal_ui'>> & { readonly account: Pick<Me['account'], 'id' | 'search_fields'> };

/** The same answer, for pages that the portal has too. */
export const viewerQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => callApi<Viewer>('/dashboard/api/me'),
});

/** Names the sign-out while it runs. */
export const signOutKey = ['sign-out'];

/** Answers without a session; also tells whether the server answers at all. */
export const statusPath = '/dashboard/api/status';

/** What the sign-in page has to know. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: () => callApi<Status>(statusPath),
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => callApi<SessionList>('/dashboard/api/sessions'),
});

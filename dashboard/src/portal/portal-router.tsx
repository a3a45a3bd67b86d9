import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { createDeliveryRoutes } from '../delivery-routes';
import { useLiveUpdates } from '../live/use-live-updates';
import { viewerQuery } from '../session/session-queries';
import { LoadingPage } from '../shell/page';
import { NotFoundPage, ProblemPage } from '../shell/problem';
import { followAlone } from './follow-alone';
import { enterSession, firstPageOf, usePortalSession } from './portal-session';
import { PortalShell } from './portal-shell';

const { rootRoute, dashboardRoute, deliveryRoutes } = createDeliveryRoutes({
  frame: PortalShell,
  enter: requirePortalSession,
  pages: PortalPages,
});

const firstRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/',
  beforeLoad: () => {
    const { pathname, searchParams } = firstPageOf();
    // It is whatever page the platform named: an unknown one is answered with "Not found".
    throw redirect({
      to: `/dashboard${pathname}` as '/dashboard',
      search: Object.fromEntries(searchParams),
      replace: true,
    });
  },
});

/** @throws ApiProblem without a session */
async function requirePortalSession(client: QueryClient): Promise<void> {
  await enterSession();
  await client.query({ ...viewerQuery, staleTime: 'static' });
}

/** Whatever page is shown, it follows what happens, with each new session anew. */
function PortalPages() {
  const { number } = usePortalSession();
  return (
    <>
      <LiveUpdates key={number} />
      <Outlet />
    </>
  );
}

function LiveUpdates() {
  useLiveUpdates(followAlone);
  return null;
}

/**
 * The portal's pages are the dashboard's, so their links say `/dashboard/…`. In this application that part of the address
 * is `/portal`.
 */
export function createPortalRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree: rootRoute.addChildren([dashboardRoute.addChildren([firstRoute, ...deliveryRoutes])]),
    rewrite: {
      input: ({ url }) => moved(url, '/portal', '/dashboard'),
      output: ({ url }) => moved(url, '/dashboard', '/portal'),
    },
    context: { queryClient },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultPendingComponent: LoadingPage,
    defaultErrorComponent: ProblemPage,
    defaultNotFoundComponent: NotFoundPage,
  });
}

function moved(url: URL, from: string, to: string): URL {
  if (url.pathname === from || url.pathname.startsWith(`${from}/`)) url.pathname = to + url.pathname.slice(from.length);
  return url;
}

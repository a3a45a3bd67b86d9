import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { useLiveUpdates } from './live/use-live-updates';
import { filterOf } from './elements/list-filter';
import { nextPage, requireSession } from './session/require-session';
import { lazyPage } from './shell/lazy-page';
import { LoadingPage } from './shell/page';
import { NotFoundPage, ProblemPage } from './shell/problem';
import { Shell } from './shell/shell';

/** What lists can be narrowed to: the API's query parameters, and `last`, a span until now. */
const EVENT_FILTERS = ['status', 'type', 'data', 'idempotency_key', 'after', 'last'] as const;
const DELIVERY_FILTERS = ['state', 'endpoint_id', 'replay_id', 'type', 'after', 'before', 'last'] as const;
const AUDIT_FILTERS = ['action', 'actor', 'object', 'after', 'before'] as const;
/** What the overview shows: a window of the attempts. */
const OVERVIEW_SEARCH = ['window'] as const;
/** What the list of endpoints shows: a state, a text to find, an order. */
const ENDPOINTS_SEARCH = ['health', 'q', 'sort'] as const;
/** What the page of an endpoint shows: a window of its health, and the attempts with one cause. */
const ENDPOINT_SEARCH = ['window', 'error_code', 'status_code'] as const;

const rootRoute = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({ component: Shell });

const estimatorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/estimator',
  component: lazyPage(() => import('./estimator/estimator-page'), 'EstimatorPage'),
});

// Pages without a session -------------------------------------------------------------------------------------------

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dashboard/sign-in',
  validateSearch: (search: { next?: string; why?: string }): { next?: string; why?: 'suspended' } => ({
    next: nextPage(search.next),
    ...(search.why === 'suspended' && { why: 'suspended' as const }),
  }),
  component: lazyPage(() => import('./session/sign-in-page'), 'SignInPage'),
});

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dashboard/sign-up',
  component: lazyPage(() => import('./session/sign-up-page'), 'SignUpPage'),
});

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dashboard/setup',
  component: lazyPage(() => import('./session/setup-page'), 'SetupPage'),
});

// An account's pages: each is a child of this route, which asks for a session -----------------------------------------

const dashboardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dashboard',
  beforeLoad: ({ context, location }) => requireSession(context.queryClient, location.href),
  component: DashboardPages,
});

const overviewRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/',
  validateSearch: (search: { [Name in (typeof OVERVIEW_SEARCH)[number]]?: string }) =>
    filterOf(search, OVERVIEW_SEARCH),
  component: lazyPage(() => import('./overview/overview-page'), 'OverviewPage'),
});

const eventsRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/events',
  validateSearch: (search: { [Name in (typeof EVENT_FILTERS)[number]]?: string }) => filterOf(search, EVENT_FILTERS),
  component: lazyPage(() => import('./events/events-page'), 'EventsPage'),
});

const eventRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/events/$eventId',
  component: lazyPage(() => import('./events/event-page'), 'EventPage'),
});

const deliveriesRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/deliveries',
  validateSearch: (search: { [Name in (typeof DELIVERY_FILTERS)[number]]?: string }) =>
    filterOf(search, DELIVERY_FILTERS),
  component: lazyPage(() => import('./deliveries/deliveries-page'), 'DeliveriesPage'),
});

const replaysRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/replays',
  component: lazyPage(() => import('./replays/replays-page'), 'ReplaysPage'),
});

const endpointsRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/endpoints',
  validateSearch: (search: { [Name in (typeof ENDPOINTS_SEARCH)[number]]?: string }) =>
    filterOf(search, ENDPOINTS_SEARCH),
  component: lazyPage(() => import('./endpoints/endpoints-page'), 'EndpointsPage'),
});

const endpointRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/endpoints/$endpointId',
  validateSearch: (search: { [Name in (typeof ENDPOINT_SEARCH)[number]]?: string }) =>
    filterOf(search, ENDPOINT_SEARCH),
  component: lazyPage(() => import('./endpoints/endpoint-page'), 'EndpointPage'),
});

const keysRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/keys',
  component: lazyPage(() => import('./keys/keys-page'), 'KeysPage'),
});

const reportsRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/reports',
  component: lazyPage(() => import('./reports/reports-page'), 'ReportsPage'),
});

/** The former address of the reports. */
const usageRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/usage',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard/reports', replace: true });
  },
});

const auditRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/audit',
  validateSearch: (search: { [Name in (typeof AUDIT_FILTERS)[number]]?: string }) => filterOf(search, AUDIT_FILTERS),
  component: lazyPage(() => import('./audit/audit-page'), 'AuditPage'),
});

const accountsRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/accounts',
  component: lazyPage(() => import('./accounts/accounts-page'), 'AccountsPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/settings',
  component: lazyPage(() => import('./settings/settings-page'), 'SettingsPage'),
});

/** Whatever page of the account is shown, it follows what happens. */
function DashboardPages() {
  useLiveUpdates();
  return <Outlet />;
}

/** The addresses, and the pages at them. Each page is loaded when it is first looked at. */
export function createPageRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree: rootRoute.addChildren([
      estimatorRoute,
      signInRoute,
      signUpRoute,
      setupRoute,
      dashboardRoute.addChildren([
        overviewRoute,
        eventsRoute,
        eventRoute,
        deliveriesRoute,
        replaysRoute,
        endpointsRoute,
        endpointRoute,
        keysRoute,
        reportsRoute,
        usageRoute,
        auditRoute,
        accountsRoute,
        settingsRoute,
      ]),
    ]),
    context: { queryClient },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultPendingComponent: LoadingPage,
    defaultErrorComponent: ProblemPage,
    defaultNotFoundComponent: NotFoundPage,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPageRouter>;
  }
}

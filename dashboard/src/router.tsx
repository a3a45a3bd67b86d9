import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { useLiveUpdates } from './live/use-live-updates';
import { lazyDialog } from './elements/lazy-dialog';
import { filterOf } from './elements/list-filter';
import { createDeliveryRoutes } from './delivery-routes';
import { FIND_SEARCH, filterFor, searchFor, type FindSearch } from './find/find-search';
import { nextPage, requireSession } from './session/require-session';
import { useFollowedView } from './session/view-account';
import { lazyPage } from './shell/lazy-page';
import { LoadingPage } from './shell/page';
import { NotFoundPage, ProblemPage } from './shell/problem';
import { Shell } from './shell/shell';

const SignInAgain = lazyDialog(() => import('./session/sign-in-again'), 'SignInAgain');

/** What the log can be narrowed to: the API's query parameters. */
const AUDIT_FILTERS = ['account_id', 'action', 'actor', 'object', 'after', 'before'] as const;
/** What the list of accounts shows: a text to find, a status. */
const ACCOUNTS_SEARCH = ['q', 'status'] as const;
/** What the page *Now* shows: a window of the attempts. */
const NOW_SEARCH = ['window'] as const;

const { rootRoute, dashboardRoute, deliveryRoutes } = createDeliveryRoutes({
  frame: Shell,
  enter: requireSession,
  pages: DashboardPages,
});

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

// An account's pages ------------------------------------------------------------------------------------------------

const nowRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/',
  validateSearch: (search: { [Name in (typeof NOW_SEARCH)[number]]?: string }) => filterOf(search, NOW_SEARCH),
  component: lazyPage(() => import('./overview/overview-page'), 'OverviewPage'),
});

const reportsRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/reports',
  component: lazyPage(() => import('./reports/reports-page'), 'ReportsPage'),
});

const accountsRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/accounts',
  validateSearch: (search: { [Name in (typeof ACCOUNTS_SEARCH)[number]]?: string }) =>
    filterOf(search, ACCOUNTS_SEARCH),
  component: lazyPage(() => import('./accounts/accounts-page'), 'AccountsPage'),
});

const accountRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/accounts/$accountId',
  component: lazyPage(() => import('./accounts/account-page'), 'AccountPage'),
});

const managementKeysRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/management-keys',
  component: lazyPage(() => import('./keys/keys-page'), 'ManagementKeysPage'),
});

// Settings ------------------------------------------------------------------------------------

const settingsRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/settings',
  component: lazyPage(() => import('./settings/settings-page'), 'SettingsPage'),
});

const keysRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/settings/keys',
  component: lazyPage(() => import('./keys/keys-page'), 'KeysPage'),
});

const searchFieldsRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/settings/search-fields',
  component: lazyPage(() => import('./settings/search-fields-page'), 'SearchFieldsPage'),
});

const erasuresRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/settings/erasures',
  component: lazyPage(() => import('./erasures/erasures-page'), 'ErasuresPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/settings/audit',
  validateSearch: (search: { [Name in (typeof AUDIT_FILTERS)[number]]?: string }) => filterOf(search, AUDIT_FILTERS),
  component: lazyPage(() => import('./audit/audit-page'), 'AuditPage'),
});

// Addresses of earlier versions: people have saved them -----------------------------------------------------------------

const oldEventsRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/events',
  validateSearch: (search: FindSearch): FindSearch => filterOf(search, FIND_SEARCH),
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/dashboard/find', search: searchFor('events', filterFor('events', search)), replace: true });
  },
});

const oldDeliveriesRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/deliveries',
  validateSearch: (search: FindSearch): FindSearch => filterOf(search, FIND_SEARCH),
  beforeLoad: ({ search }) => {
    throw redirect({
      to: '/dashboard/find',
      search: searchFor('deliveries', filterFor('deliveries', search)),
      replace: true,
    });
  },
});

const oldKeysRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/keys',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard/settings/keys', replace: true });
  },
});

const oldAuditRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/audit',
  validateSearch: (search: { [Name in (typeof AUDIT_FILTERS)[number]]?: string }) => filterOf(search, AUDIT_FILTERS),
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/dashboard/settings/audit', search, replace: true });
  },
});

const oldUsageRoute = createRoute({
  getParentRoute: () => dashboardRoute,
  path: '/usage',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard/reports', replace: true });
  },
});

/** Whatever page of the account is shown, it follows what happens. */
function DashboardPages() {
  const { hasEnded, goOn } = useLiveUpdates();
  useFollowedView();
  return (
    <>
      <Outlet />
      <SignInAgain opened={hasEnded} onClose={goOn} />
    </>
  );
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
        nowRoute,
        ...deliveryRoutes,
        reportsRoute,
        accountsRoute,
        accountRoute,
        managementKeysRoute,
        settingsRoute,
        keysRoute,
        searchFieldsRoute,
        erasuresRoute,
        auditRoute,
        oldEventsRoute,
        oldDeliveriesRoute,
        oldKeysRoute,
        oldAuditRoute,
        oldUsageRoute,
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

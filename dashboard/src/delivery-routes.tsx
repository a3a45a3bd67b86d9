import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, type RouteComponent } from '@tanstack/react-router';
import { filterOf } from './elements/list-filter';
import { FIND_SEARCH, type FindSearch } from './find/find-search';
import { lazyPage } from './shell/lazy-page';

/** What the list of endpoints shows: a state, a text to find, an order. */
const ENDPOINTS_SEARCH = ['health', 'q', 'sort'] as const;
/** What the list of event types shows: a text to find. */
const EVENT_TYPES_SEARCH = ['q'] as const;
/** What the page of an endpoint shows: a tab, a window of its health, and the attempts with one cause. */
const ENDPOINT_SEARCH = ['tab', 'window', 'error_code', 'status_code'] as const;

/** What differs between the applications that have these pages. */
interface DeliveryRoutesOptions {
  /** The frame around every page. */
  readonly frame: RouteComponent;
  /** Asks for a session. @param href the page that it is for */
  readonly enter: (client: QueryClient, href: string) => Promise<void>;
  /** What is around the pages that need a session. */
  readonly pages: RouteComponent;
}

/**
 * The pages about endpoints, events and deliveries, which the dashboard and the portal have in common. Their parent asks
 * for a session.
 */
export function createDeliveryRoutes({ frame, enter, pages }: DeliveryRoutesOptions) {
  const rootRoute = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({ component: frame });

  const dashboardRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/dashboard',
    beforeLoad: ({ context, location }) => enter(context.queryClient, location.href),
    component: pages,
  });

  const findRoute = createRoute({
    getParentRoute: () => dashboardRoute,
    path: '/find',
    validateSearch: (search: FindSearch): FindSearch => filterOf(search, FIND_SEARCH),
    component: lazyPage(() => import('./find/find-page'), 'FindPage'),
  });

  const eventRoute = createRoute({
    getParentRoute: () => dashboardRoute,
    path: '/events/$eventId',
    component: lazyPage(() => import('./events/event-page'), 'EventPage'),
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

  const eventTypesRoute = createRoute({
    getParentRoute: () => dashboardRoute,
    path: '/event-types',
    validateSearch: (search: { [Name in (typeof EVENT_TYPES_SEARCH)[number]]?: string }) =>
      filterOf(search, EVENT_TYPES_SEARCH),
    component: lazyPage(() => import('./event-types/event-types-page'), 'EventTypesPage'),
  });

  const eventTypeRoute = createRoute({
    getParentRoute: () => dashboardRoute,
    path: '/event-types/$name',
    component: lazyPage(() => import('./event-types/event-type-page'), 'EventTypePage'),
  });

  return {
    rootRoute,
    dashboardRoute,
    deliveryRoutes: [
      findRoute,
      eventRoute,
      replaysRoute,
      endpointsRoute,
      endpointRoute,
      eventTypesRoute,
      eventTypeRoute,
    ] as const,
  };
}

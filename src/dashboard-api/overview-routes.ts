import type { z } from 'zod';
import { getWithHealth } from '../endpoints/read-health';
import { endpointParams } from '../endpoints/params';
import { addRoute } from '../http/operation';
import type { RouteApi } from '../http/route';
import type { CountBacklog } from './count-backlog';
import { createOverview, listEndpointHealth, type OverviewDeps } from './overview';
import { createListEventTypes } from './list-event-types';
import { presentStart } from './overview-attention';
import { sessionOf } from './require-session';
import { createSharedRead } from './share-read';
import {
  backlogView,
  endpointHealthView,
  endpointWaitingView,
  failureStartView,
  overviewView,
} from './overview-schema';
import { MAX_COUNTED } from './overview-store';
import { eventTypesView } from './schema';

/** Adds the operations of the overview and the pattern picker. */
export function addOverviewRoutes(api: RouteApi, deps: OverviewDeps, countBacklog: CountBacklog): void {
  const listSeenTypes = createListEventTypes(deps.overview);
  const overviewOf = createOverview(deps, countBacklog);

  // What needs attention, the backlog, what is left to do before the first delivery, and the account's limits. Reading
  // the limits doesn't count as a call.
  addRoute(
    api,
    { id: 'getOverview', method: 'get', path: '/dashboard/api/overview', answer: overviewView },
    ({ caller, ctx }) => overviewOf(sessionOf(ctx).account, caller.now),
  );

  // How many deliveries of the account are unfinished: the count of the overview.
  addRoute(
    api,
    { id: 'getBacklog', method: 'get', path: '/dashboard/api/backlog', answer: backlogView },
    ({ caller }) => countBacklog(caller.accountId, caller.now),
  );

  // The health of each endpoint, and its attempts of the last 24 hours by hour.
  addRoute(
    api,
    { id: 'listEndpointHealth', method: 'get', path: '/dashboard/api/endpoint-health', answer: endpointHealthView },
    async ({ caller }) => {
      return { endpoints: await listEndpointHealth(deps, caller) };
    },
  );

  // How many deliveries wait for each endpoint.
  const shareWaiting = createSharedRead<z.output<typeof endpointWaitingView>>();
  addRoute(
    api,
    { id: 'listEndpointWaiting', method: 'get', path: '/dashboard/api/endpoint-waiting', answer: endpointWaitingView },
    ({ caller: { accountId } }) =>
      shareWaiting(accountId, async () => {
        const counts = await deps.overview.waitingByEndpoint(accountId);
        const all = counts.reduce((sum, { deliveries }) => sum + deliveries, 0);
        return {
          endpoints: counts.map(({ endpointId, deliveries }) => ({ endpoint_id: endpointId, deliveries })),
          // An event that waits has at least one of them.
          complete: all < MAX_COUNTED,
        };
      }),
  );

  // When the first of an endpoint's failures in a row was, which its health says only while it fails.
  addRoute(
    api,
    {
      id: 'getFailureStart',
      method: 'get',
      path: '/dashboard/api/endpoint-health/{endpoint_id}',
      params: endpointParams,
      answer: failureStartView,
    },
    async ({ params, caller }) => {
      const { health } = await getWithHealth(deps, caller, params.endpoint_id);
      return { failing_since: presentStart(health) };
    },
  );

  // Types of the account's events of the last 30 days, the last used first.
  addRoute(
    api,
    { id: 'listSeenTypes', method: 'get', path: '/dashboard/api/event-types', answer: eventTypesView },
    async ({ caller }) => {
      const { types, complete } = await listSeenTypes(caller.accountId, caller.now);
      return { types: types.map(({ type, lastAt }) => ({ type, last_at: lastAt.toISOString() })), complete };
    },
  );
}

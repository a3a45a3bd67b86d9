import type { AccountStore } from '../accounts/account-store';
import { addRoute, type RouteApi } from '../http/operation';
import { validate } from '../http/read-body';
import type { Clock } from '../platform/clock';
import { listUsage } from '../keys/list-usage';
import type { UsageStore } from '../keys/usage-store';
import { createOverview, listEndpointHealth, type OverviewDeps } from './overview';
import { TYPE_EVENTS } from './overview-store';
import { sessionOf } from './require-session';
import { endpointHealthView, eventTypesView, overviewView, usageListView, usageQuery } from './schema';

/** What the overview, the pattern picker and the list of usage need. */
export interface OverviewRouteDeps extends OverviewDeps {
  readonly accounts: AccountStore;
  readonly usage: UsageStore;
  readonly clock: Clock;
}

/** Adds the operations of the overview, the pattern picker and the list of usage. */
export function addOverviewRoutes(api: RouteApi, deps: OverviewRouteDeps): void {
  const overviewOf = createOverview(deps);

  // What needs attention, the backlog, what is left to do before the first delivery, and the account's limits. Reading
  // the limits doesn't count as a call.
  addRoute(
    api,
    { id: 'getOverview', method: 'get', path: '/dashboard/api/overview', answer: overviewView },
    async (ctx) => {
      ctx.body = await overviewOf(sessionOf(ctx).account, ctx.state.caller.now);
    },
  );

  // The health of each endpoint, and its attempts of the last 24 hours by hour.
  addRoute(
    api,
    { id: 'listEndpointHealth', method: 'get', path: '/dashboard/api/endpoint-health', answer: endpointHealthView },
    async (ctx) => {
      ctx.body = { endpoints: await listEndpointHealth(deps, ctx.state.caller) };
    },
  );

  // Types of the account's newest events, the most frequent first.
  addRoute(
    api,
    { id: 'listEventTypes', method: 'get', path: '/dashboard/api/event-types', answer: eventTypesView },
    async (ctx) => {
      const types = await deps.overview.recentTypes(ctx.state.caller.accountId);
      ctx.body = {
        types: types.map(({ type, events, lastAt }) => ({ type, events, last_at: lastAt.toISOString() })),
        looked_at: TYPE_EVENTS,
      };
    },
  );

  addUsage(api, deps);
}

function addUsage(api: RouteApi, deps: OverviewRouteDeps): void {
  // Calls of the counted operations, such as estimates, by day, key and operation; newest day first.
  addRoute(
    api,
    { id: 'listUsage', method: 'get', path: '/dashboard/api/usage', query: usageQuery, answer: usageListView },
    async (ctx) => {
      const { days } = validate(usageQuery, { ...ctx.query }, 'query');
      const records = await listUsage(deps, { accountId: ctx.state.caller.accountId, days });
      ctx.body = { usage: records.map(({ account_id: _own, ...record }) => record) };
    },
  );
}

import type { AccountStore } from '../accounts/account-store';
import { addOperation, type Api } from '../http/operation';
import { validate } from '../http/read-body';
import type { Clock } from '../platform/clock';
import { listUsage } from '../keys/list-usage';
import type { UsageStore } from '../keys/usage-store';
import { getEndpointHealth, createOverview, type OverviewDeps } from './overview';
import { TYPE_EVENTS } from './overview-store';
import { endpointHealthView, eventTypesView, overviewQuery, overviewView, usageListView, usageQuery } from './schema';

/** What the overview, the pattern picker and the list of usage are made of. */
export interface OverviewRouteDeps extends OverviewDeps {
  readonly accounts: AccountStore;
  readonly usage: UsageStore;
  readonly clock: Clock;
}

/** Adds what the overview, the pattern picker and the list of usage show. */
export function addOverviewRoutes(api: Api, deps: OverviewRouteDeps): void {
  const overviewOf = createOverview(deps);

  addOperation(
    api,
    {
      id: 'getOverview',
      method: 'get',
      path: '/dashboard/api/overview',
      tag: 'Overview',
      summary: 'What happened lately',
      description:
        'Deliveries of the events accepted in each hour by what became of them, success rate, latencies, deliveries in ' +
        'flight, and where the account stands in its limits. Reading the limits counts as no call.',
      query: overviewQuery,
      answers: { 200: { description: 'The overview.', schema: overviewView } },
    },
    async (ctx) => {
      const { hours } = validate(overviewQuery, { ...ctx.query }, 'query');
      ctx.body = await overviewOf(ctx.state.session.account, hours, ctx.state.caller.now);
    },
  );

  addOperation(
    api,
    {
      id: 'getEndpointHealth',
      method: 'get',
      path: '/dashboard/api/endpoint-health',
      tag: 'Overview',
      summary: 'How the endpoints did',
      description: 'Deliveries of the last 24 hours by endpoint and hour. An endpoint without any is left out.',
      answers: { 200: { description: 'The endpoints that had deliveries.', schema: endpointHealthView } },
    },
    async (ctx) => {
      const { accountId, now } = ctx.state.caller;
      ctx.body = { endpoints: await getEndpointHealth(deps, accountId, now) };
    },
  );

  addOperation(
    api,
    {
      id: 'listEventTypes',
      method: 'get',
      path: '/dashboard/api/event-types',
      tag: 'Overview',
      summary: 'Which types events have',
      description: `Types of the account's newest ${TYPE_EVENTS} events, the most frequent first.`,
      answers: { 200: { description: 'The types.', schema: eventTypesView } },
    },
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

function addUsage(api: Api, deps: OverviewRouteDeps): void {
  addOperation(
    api,
    {
      id: 'listUsage',
      method: 'get',
      path: '/dashboard/api/usage',
      tag: 'Overview',
      summary: 'List usage',
      description:
        'Calls of the operations that are logged, such as estimates, by day, key and operation; newest day first.',
      query: usageQuery,
      answers: { 200: { description: 'The usage.', schema: usageListView } },
    },
    async (ctx) => {
      const { days } = validate(usageQuery, { ...ctx.query }, 'query');
      const records = await listUsage(deps, { accountId: ctx.state.caller.accountId, days });
      ctx.body = { usage: records.map(({ account_id: _own, ...record }) => record) };
    },
  );
}

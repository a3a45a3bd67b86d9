import { addOperation } from '../http/operation';
import { EXAMPLE_ID, type Api } from '../http/route';
import { reportUsage, type UsageReportDeps } from './usage-report';
import { usageQuery, usageView } from './usage-schema';

const KEY = `key_${EXAMPLE_ID}`;
const NONE_REFUSED = {
  rate_limit_exceeded: 0,
  quota_exceeded: 0,
  delivery_budget_exceeded: 0,
  pending_budget_exceeded: 0,
  filter_budget_exceeded: 0,
  storage_budget_exceeded: 0,
};
const USAGE_EXAMPLE = {
  from: '2026-11-20',
  to: '2026-11-21',
  days: [
    { day: '2026-11-20', calls: 0, refused: NONE_REFUSED, attempts: 0, keys: [] },
    {
      day: '2026-11-21',
      calls: 380,
      refused: { ...NONE_REFUSED, rate_limit_exceeded: 12 },
      attempts: 1_204,
      keys: [{ key_id: KEY, calls: 380, refused: 12 }],
    },
  ],
  keys: [{ id: KEY, label: 'production' }],
  outside_quota: [{ day: '2026-11-21', key_id: KEY, operation: 'estimateCost', calls: 3 }],
  quota: {
    limit: 10_000,
    used: 7_900,
    resets_at: '2026-12-01T00:00:00.000Z',
    outlook: 'runs_out',
    runs_out_at: '2026-11-26T22:47:06.000Z',
  },
  calls_per_minute: { limit: 60, used: 4, resets_at: '2026-11-21T12:00:41.000Z' },
  deliveries_per_minute: { limit: 600, used: 12, resets_at: '2026-11-21T12:00:41.000Z' },
  pending_deliveries: { limit: 100_000, at_most: 37 },
};

/** Adds the operation that reports an account's usage, for keys and for the dashboard. */
export function addUsageRoutes(api: Api, deps: UsageReportDeps): void {
  addOperation(
    api,
    {
      id: 'getUsage',
      method: 'get',
      path: '/api/v1/usage',
      scopes: ['usage:read'],
      tag: { name: 'Usage', description: 'Calls by day and key, and what is left of the limits.' },
      summary: "Get the account's usage",
      description:
        'Calls by day and key, calls that got 429 by reason, and delivery attempts by day; how much of the quota, of the ' +
        "limits of a minute and of the budgets is used; and when the quota runs out at this month's pace. Days are in " +
        'UTC. Calls of the last seconds may be missing. The dashboard shows the same, and its own calls are not counted.',
      query: usageQuery,
      answers: { 200: { description: 'The usage.', schema: usageView, example: USAGE_EXAMPLE } },
    },
    ({ query: { days }, caller }) => reportUsage(deps, caller.accountId, days),
  );
}

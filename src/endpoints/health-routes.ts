import { addOperation } from '../http/operation';
import type { Api } from '../http/route';
import { ENDPOINT_EXAMPLE, ENDPOINT_NOT_FOUND, HEALTH_EXAMPLE } from './examples';
import { accountHealthView, endpointHistoryView, healthQuery } from './health-schema';
import { presentHealth, presentHistory } from './present';
import { getAccountHealth, getEndpointHistory, type HealthDeps } from './read-health';
import { endpointParams } from './params';
import { ENDPOINTS_TAG } from './tag';

/** Adds the operations on health: of an endpoint, and of the account. */
export function addHealthRoutes(api: Api, deps: HealthDeps): void {
  addEndpointHealth(api, deps);
  addAccountHealth(api, deps);
}

function addEndpointHealth(api: Api, deps: HealthDeps): void {
  addOperation(
    api,
    {
      id: 'getEndpointHealth',
      method: 'get',
      path: '/api/v1/webhooks/endpoints/{endpoint_id}/health',
      scopes: ['endpoints:read'],
      tag: ENDPOINTS_TAG,
      summary: "Get an endpoint's health",
      description:
        'Its present health, with the last error, and its attempts by five minutes for up to a day, or by hour or day for up to 30 days: ' +
        'causes of failures, retries and latencies. Counted by the time of the answer, and complete to within a second or two. ' +
        'Every attempt counts, also those before a replay, which `GET …/stats` leaves out; test events do not.',
      params: endpointParams,
      query: healthQuery,
      answers: {
        200: {
          description: 'The health.',
          schema: endpointHistoryView,
          example: { endpoint_id: ENDPOINT_EXAMPLE.id, health: HEALTH_EXAMPLE, ...HISTORY_EXAMPLE },
        },
      },
      ...ENDPOINT_NOT_FOUND,
    },
    async ({ query: { window, days_in: daysIn }, params: { endpoint_id: id }, caller }) => {
      const { endpoint, health, history } = await getEndpointHistory(deps, caller, id, { window, daysIn });
      return { endpoint_id: id, health: presentHealth(endpoint, health), ...presentHistory(history) };
    },
  );
}

function addAccountHealth(api: Api, deps: HealthDeps): void {
  addOperation(
    api,
    {
      id: 'getHealth',
      method: 'get',
      path: '/api/v1/webhooks/health',
      scopes: ['endpoints:read'],
      tag: ENDPOINTS_TAG,
      summary: "Get the account's health",
      description:
        "How many endpoints are in each state, and the account's attempts by five minutes for up to a day, or by hour or day for up to 30 " +
        'days. Attempts to endpoints that were removed meanwhile are included.',
      query: healthQuery,
      answers: {
        200: {
          description: 'The health.',
          schema: accountHealthView,
          example: {
            endpoints: { healthy: 11, degraded: 1, failing: 0, paused: 1, disabled: 0, waiting: 2 },
            ...HISTORY_EXAMPLE,
          },
        },
      },
    },
    async ({ query: { window, days_in: daysIn }, caller }) => {
      const { endpoints, history } = await getAccountHealth(deps, caller, { window, daysIn });
      return { endpoints, ...presentHistory(history) };
    },
  );
}

const COUNTS_EXAMPLE = {
  attempts: 1_024,
  succeeded: 997,
  failed: 27,
  retries: 24,
  failed_by: { http_status: 25, timeout: 2 },
  latency_ms: { p50: 41, p95: 304, p99: 861 },
};

const HISTORY_EXAMPLE = {
  window: '24h',
  since: '2026-11-20T12:05:00.000Z',
  until: '2026-11-21T12:02:31.000Z',
  totals: COUNTS_EXAMPLE,
  causes: [
    {
      code: 'http_status',
      status_code: 503,
      count: 25,
      first_seen: '2026-11-21T09:15:00.000Z',
      last_seen: '2026-11-21T12:02:31.000Z',
    },
    {
      code: 'timeout',
      status_code: null,
      count: 2,
      first_seen: '2026-11-21T09:10:00.000Z',
      last_seen: '2026-11-21T09:15:00.000Z',
    },
  ],
  series: [{ from: '2026-11-21T12:00:00.000Z', ...COUNTS_EXAMPLE }],
};

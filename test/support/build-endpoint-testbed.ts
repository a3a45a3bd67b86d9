import { RETRY_NOW_SIGNAL, type DeliveryRef } from '../../src/domain/delivery-contract';
import type { DeliveryState } from '../../src/domain/delivery-state';
import type { Destination } from '../../src/stores/event-store';
import { startRole, type Role } from '../../src/processes/start-role';
import { createLogger } from '../../src/platform/logger';
import { apiClient, type ApiClient } from './api-client';
import { buildAccount } from './build-stack';
import { eventually } from './eventually';
import { useFixture } from './fixture';
import { buildDataPath, type DataPath } from './build-data-path';

export const ENDPOINTS = '/api/v1/webhooks/endpoints';
export const EVENTS = '/api/v1/webhooks/events';

/** Two API processes on one database, and an account. */
export interface TwoApis {
  readonly path: DataPath;
  readonly accountId: string;
  readonly here: ApiClient;
  readonly there: ApiClient;
  close(): Promise<void>;
}

/** Two API processes, `here` with a worker, and the operations on endpoints over them. */
export interface EndpointTestbed extends TwoApis {
  register(url: string, body?: object): Promise<string>;
  /** Acts on an endpoint, and expects 2xx. */
  act(method: string, id: string, suffix?: string, body?: object): Promise<unknown>;
  /** Ingests an event and returns its delivery to the endpoint. */
  send(endpointId: string, event?: object, from?: ApiClient): Promise<DeliveryRef>;
  /** Waits until the record says that a delivery is in this state, after this many attempts. */
  untilState(ref: DeliveryRef, state: DeliveryState, attempts: number): Promise<Destination>;
  /** Waits until the record says that it waits for its endpoint's gate. */
  untilHeld(ref: DeliveryRef): Promise<Destination>;
  /** Waits until the execution has ended. @returns how it ended */
  ending(ref: DeliveryRef): Promise<string>;
  retryNow(ref: DeliveryRef, number: number): Promise<void>;
}

/** Two API processes; with `role`, the first one has another role. */
async function buildTwoApis(env: Record<string, string>, role: Role = 'api'): Promise<TwoApis> {
  const path = await buildDataPath({ env });
  const logger = createLogger(path.config.logLevel);
  const roles = await Promise.all([startRole(role, path.config, logger), startRole('api', path.config, logger)]);
  await Promise.all(roles.map(({ workerReady }) => workerReady));
  const { accountId, key } = await buildAccount(path.config, path.mongo);
  const [here, there] = roles.map(({ url }) => apiClient(url!, key)) as [ApiClient, ApiClient];
  return {
    path,
    accountId,
    here,
    there,
    async close() {
      await Promise.all(roles.map((it) => it.close()));
      await path.close();
    },
  };
}

async function buildEndpointTestbed(schedule: string): Promise<EndpointTestbed> {
  const apis = await buildTwoApis({ RETRY_SCHEDULE: schedule }, 'all');
  const { path, here } = apis;
  return {
    ...apis,
    async register(url, body) {
      const answer = await here.post(ENDPOINTS, { url, ...body });
      expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
      return answer.body.id as string;
    },
    async act(method, id, suffix = '', body) {
      const answer = await here.call(method, `${ENDPOINTS}/${id}${suffix}`, body);
      expect([answer.status - (answer.status % 100), answer.text]).toEqual([200, expect.any(String)]);
      return answer.body as unknown;
    },
    async send(endpointId, event, from = here) {
      const { status, body } = await from.post(EVENTS, { type: 'order.created', data: { n: 1 }, ...event });
      expect(status).toBe(202);
      return { eventId: body.id as number, endpointId, run: 1 };
    },
    untilState: (ref, state, attempts) =>
      eventually(
        () => path.destination(ref),
        (it) => it.state === state && it.attempt_count === attempts,
      ),
    untilHeld: path.untilHeld,
    async ending(ref) {
      const { status } = await eventually(
        () => path.handleOf(ref).describe(),
        ({ status: { name } }) => name !== 'RUNNING',
      );
      return status.name;
    },
    retryNow: (ref, number) => path.handleOf(ref).signal(RETRY_NOW_SIGNAL, number),
  };
}

/** Gives the tests of a file two API processes, and no worker. */
export function useTwoApis(): TwoApis {
  return useFixture(
    'file',
    () => buildTwoApis({}),
    (apis) => apis.close(),
  );
}

/** Gives the tests of a file one testbed. @param schedule of retries, as `RETRY_SCHEDULE` */
export function useEndpointTestbed(schedule: string): EndpointTestbed {
  return useFixture(
    'file',
    () => buildEndpointTestbed(schedule),
    (testbed) => testbed.close(),
  );
}

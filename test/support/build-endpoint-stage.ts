import type { WorkflowHandle } from '@temporalio/client';
import { deliveryWorkflowId, RETRY_NOW_SIGNAL, type DeliveryRef } from '../../src/domain/delivery-contract';
import { startRole, type RunningRole } from '../../src/main';
import { createLogger } from '../../src/platform/logger';
import { apiClient, type ApiClient } from './api-client';
import { buildAccount } from './build-stack';
import { currentDetailsOf } from './current-details';
import { eventually } from './eventually';
import { buildDataPath, type DataPath } from './build-data-path';

const ENDPOINTS = '/api/v1/webhooks/endpoints';
const EVENTS = '/api/v1/webhooks/events';

/** Two API processes, one of them with a worker, and the operations on endpoints over them. */
export interface EndpointStage {
  readonly path: DataPath;
  readonly accountId: string;
  /** The process with the worker, and another one. */
  readonly here: ApiClient;
  readonly there: ApiClient;
  register(url: string, body?: object): Promise<string>;
  /** Acts on an endpoint, and wants 2xx. */
  act(method: string, id: string, suffix?: string, body?: object): Promise<unknown>;
  /** Ingests an event and returns its delivery to the endpoint. */
  send(endpointId: string, event?: object, from?: ApiClient): Promise<DeliveryRef>;
  untilState(ref: DeliveryRef, state: string, attempts?: number): Promise<unknown>;
  /** Waits until the workflow says that it is held. */
  untilHeld(ref: DeliveryRef): Promise<void>;
  /** Waits until the execution has ended, and says how. */
  ending(ref: DeliveryRef): Promise<string>;
  retryNow(ref: DeliveryRef, number: number): Promise<void>;
  close(): Promise<void>;
}

/** Waits until the execution says that it is held for a paused endpoint. */
export async function untilHeld(execution: WorkflowHandle): Promise<void> {
  await eventually(
    // It may not be started yet.
    () => currentDetailsOf(execution).catch(() => undefined),
    (details) => details?.includes('paused') === true,
    30_000,
  );
}

/** @param schedule of retries, as `RETRY_SCHEDULE` */
export async function buildEndpointStage(schedule: string): Promise<EndpointStage> {
  const path = await buildDataPath({ env: { RETRY_SCHEDULE: schedule } });
  const logger = createLogger(path.config.logLevel);
  const roles: RunningRole[] = await Promise.all([
    startRole('all', path.config, logger),
    startRole('api', path.config, logger),
  ]);
  await Promise.all(roles.map(({ workerReady }) => workerReady));
  const { accountId, key } = await buildAccount(path.config, path.mongo);
  const [here, there] = roles.map(({ url }) => apiClient(url!, key)) as [ApiClient, ApiClient];
  const handleOf = (ref: DeliveryRef) => path.temporal.client()!.workflow.getHandle(deliveryWorkflowId(ref));

  return {
    path,
    accountId,
    here,
    there,
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
        (it) => it.state === state && (attempts === undefined || it.attempt_count === attempts),
        30_000,
      ),
    untilHeld: (ref) => untilHeld(handleOf(ref)),
    async ending(ref) {
      const { status } = await eventually(
        () => handleOf(ref).describe(),
        ({ status: { name } }) => name !== 'RUNNING',
        30_000,
      );
      return status.name;
    },
    retryNow: (ref, number) => handleOf(ref).signal(RETRY_NOW_SIGNAL, number),
    async close() {
      await Promise.all(roles.map((role) => role.close()));
      await path.close();
    },
  };
}

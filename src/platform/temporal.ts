import {
  Client,
  isGrpcServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { NativeConnection, type NativeConnectionOptions } from '@temporalio/worker';
import type { Logger } from './logger';
import { sleep } from './sleep';

/** The way to Temporal. A process can start before its Temporal does. */
export interface TemporalLink {
  readonly namespace: string;
  /** The client once there is a connection; null before. */
  client(): Client | null;
  /** Resolves with the connection; rejects only when the link is closed first. */
  connected(): Promise<NativeConnection>;
  /**
   * Calls Temporal.
   *
   * @throws Error when there is no connection yet, or no answer within 5 s (or `timeoutMs`)
   */
  call<T>(work: (client: Client) => Promise<T>, timeoutMs?: number): Promise<T>;
  /** What became of an execution: the name of its status, or `NOT_FOUND`. @throws as `call` does */
  statusOf(workflowId: string): Promise<string>;
  /** Whether Temporal answers now. */
  isHealthy(): Promise<boolean>;
  close(): Promise<void>;
}

const RECONNECT_DELAY_MS = 1_000;
const CALL_TIMEOUT_MS = 5_000;
const HEALTH_TIMEOUT_MS = 2_000;

/**
 * Connects in the background and keeps trying. API client and worker share the one native connection: that is
 * what lets Temporal hand the first workflow task back with the start (eager start).
 */
export function createTemporalLink(
  options: { address: string; namespace: string; connection: NativeConnectionOptions },
  logger: Logger,
): TemporalLink {
  let connection: NativeConnection | undefined;
  let client: Client | null = null;
  let closed = false;
  const stop = new AbortController();

  const connect = async (): Promise<NativeConnection> => {
    for (let tries = 0; !closed; tries += 1) {
      try {
        connection = await NativeConnection.connect({ ...options.connection, address: options.address });
        client = new Client({ connection, namespace: options.namespace });
        return connection;
      } catch (error) {
        if (tries === 0) logger.warn({ err: error }, `Temporal at ${options.address} does not answer; trying on`);
        await sleep(RECONNECT_DELAY_MS, stop.signal);
      }
    }
    throw new Error('the connection to Temporal was closed');
  };
  const connecting = connect();
  connecting.catch(() => undefined);
  const call: TemporalLink['call'] = async (work, timeoutMs = CALL_TIMEOUT_MS) => {
    const current = client;
    if (!current) throw new Error('there is no connection to Temporal yet');
    return current.withDeadline(Date.now() + timeoutMs, () => work(current));
  };

  return {
    namespace: options.namespace,
    client: () => client,
    connected: () => connecting,
    call,
    async statusOf(workflowId) {
      try {
        return (await call(({ workflow }) => workflow.getHandle(workflowId).describe())).status.name;
      } catch (error) {
        if (isWorkflowNotFound(error)) return 'NOT_FOUND';
        throw error;
      }
    },
    isHealthy: () =>
      call(({ workflowService }) => workflowService.getSystemInfo({}), HEALTH_TIMEOUT_MS).then(
        () => true,
        () => false,
      ),
    async close() {
      closed = true;
      stop.abort();
      await connecting.catch(() => undefined);
      await connection?.close();
    },
  };
}

/** Whether a start was turned away because the workflow id is in use: for us, a success. */
export function isAlreadyStarted(error: unknown): boolean {
  return error instanceof WorkflowExecutionAlreadyStartedError;
}

/** Whether Temporal knows no execution of that id. */
export function isWorkflowNotFound(error: unknown): boolean {
  return error instanceof WorkflowNotFoundError;
}

/** The codes of gRPC that somebody decides by. */
const GRPC_CODES = new Map<number, 'NOT_FOUND' | 'PERMISSION_DENIED' | 'UNIMPLEMENTED'>([
  [5, 'NOT_FOUND'],
  [7, 'PERMISSION_DENIED'],
  [12, 'UNIMPLEMENTED'],
]);

/** What Temporal answered instead of a result; undefined for other codes, and for errors that are not Temporal's answer. */
export function grpcStatusOf(error: unknown) {
  return isGrpcServiceError(error) ? GRPC_CODES.get(error.code) : undefined;
}

import {
  Client,
  isGrpcServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { NativeConnection, type NativeConnectionOptions } from '@temporalio/worker';
import type { Logger } from './logger';
import { tryUntilDone } from './sleep';

const RECONNECT_DELAY_MS = 1_000;
const CALL_TIMEOUT_MS = 5_000;
const HEALTH_TIMEOUT_MS = 2_000;

export type TemporalLink = ReturnType<typeof createTemporalLink>;

/**
 * The connection to Temporal. Connects in the background and keeps trying: a process can start before its Temporal
 * does. API client and worker share one native connection, which lets Temporal return the first workflow task with the
 * start (eager start).
 */
export function createTemporalLink(
  options: { address: string; namespace: string; connection: NativeConnectionOptions },
  logger: Logger,
) {
  const { address, namespace } = options;
  let client: Client | null = null;
  const closed = new AbortController();

  const connect = async (): Promise<NativeConnection> => {
    closed.signal.throwIfAborted();
    const connection = await NativeConnection.connect({ ...options.connection, address });
    if (closed.signal.aborted) await connection.close();
    closed.signal.throwIfAborted();
    client = new Client({ connection, namespace });
    return connection;
  };
  const connecting = tryUntilDone(connect, {
    everyMs: RECONNECT_DELAY_MS,
    signal: closed.signal,
    onFirstFailure: (error) => logger.warn({ err: error }, `Temporal at ${address} does not answer; retrying`),
  });
  connecting.catch(() => undefined);
  /**
   * Calls Temporal.
   *
   * @throws Error when there is no connection yet, or no answer within 5 s (or `timeoutMs`)
   */
  const call = async <T>(work: (client: Client) => Promise<T>, timeoutMs = CALL_TIMEOUT_MS): Promise<T> => {
    const current = client;
    if (!current) throw new Error('there is no connection to Temporal yet');
    return current.withDeadline(Date.now() + timeoutMs, () => work(current));
  };

  return {
    namespace,
    /** The client once there is a connection; null before. */
    client: () => client,
    /** Resolves with the connection; rejects only when the link is closed first. */
    connected: () => connecting,
    call,
    /** The status of an execution by name, or `NOT_FOUND`. @throws like `call` */
    async statusOf(workflowId: string): Promise<string> {
      try {
        return (await call(({ workflow }) => workflow.getHandle(workflowId).describe())).status.name;
      } catch (error) {
        if (isWorkflowNotFound(error)) return 'NOT_FOUND';
        throw error;
      }
    },
    /** Whether Temporal answers now. */
    isHealthy: (): Promise<boolean> =>
      call(({ workflowService }) => workflowService.getSystemInfo({}), HEALTH_TIMEOUT_MS).then(
        () => true,
        () => false,
      ),
    async close(): Promise<void> {
      closed.abort();
      // One that is still being made closes itself: the SDK waits for half a minute if the server does not answer.
      if (client) await (await connecting).close();
    },
  };
}

/** Whether a start was rejected because the workflow id is in use: for us, a success. */
export function isAlreadyStarted(error: unknown): boolean {
  return error instanceof WorkflowExecutionAlreadyStartedError;
}

/** Whether Temporal knows no execution of that id. */
export function isWorkflowNotFound(error: unknown): boolean {
  return error instanceof WorkflowNotFoundError;
}

/** The gRPC codes that callers check. */
const GRPC_CODES = new Map<number, 'NOT_FOUND' | 'PERMISSION_DENIED' | 'UNIMPLEMENTED'>([
  [5, 'NOT_FOUND'],
  [7, 'PERMISSION_DENIED'],
  [12, 'UNIMPLEMENTED'],
]);

/** Temporal's status instead of a result; undefined for other codes, and for errors that are not Temporal's answer. */
export function grpcStatusOf(error: unknown) {
  return isGrpcServiceError(error) ? GRPC_CODES.get(error.code) : undefined;
}

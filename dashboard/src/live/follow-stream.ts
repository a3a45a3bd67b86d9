import { ApiProblem, callApi } from '../api/call-api';
import type { Connection } from './connection';

interface StreamListener {
  /** @param isServerThere whether the server answers: queries wait until it does */
  onConnection(connection: Connection, isServerThere: boolean): void;
  /** @param data JSON that says what changed since the connection became live; earlier changes are unknown */
  onChange(data: string): void;
  /** The session is over. */
  onEnd(): void;
}

/** How long a broken connection waits before it is made again, and how long at most while that fails. */
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15_000;

/**
 * Follows the server's stream of changes, whatever happens to the server: it asks until the server answers, then connects
 * again. Meanwhile queries wait, and the page keeps what it shows.
 *
 * @returns a function that ends it
 */
export function followStream(listener: StreamListener): () => void {
  let stream: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = FIRST_WAIT_MS;
  let isServerThere = true;
  let isOver = false;
  const end = (): void => {
    isOver = true;
    stream?.close();
    clearTimeout(timer);
  };
  const later = (next: () => void): void => {
    timer = setTimeout(next, waitMs);
    waitMs = Math.min(MAX_WAIT_MS, waitMs * 2);
  };
  const connect = (): void => {
    stream = new EventSource('/dashboard/api/live');
    stream.addEventListener('ready', () => {
      waitMs = FIRST_WAIT_MS;
      isServerThere = true;
      listener.onConnection('live', isServerThere);
    });
    stream.addEventListener('change', ({ data }: MessageEvent<string>) => listener.onChange(data));
    stream.addEventListener('end', () => {
      end();
      listener.onEnd();
    });
    // A browser gives up after an answer that is no stream, such as that of a proxy whose server restarts.
    stream.addEventListener('error', () => {
      stream?.close();
      if (isOver) return;
      listener.onConnection('reconnecting', isServerThere);
      void look(connect);
    });
  };
  /** Asks who is signed in: that tells whether the server answers, and whether the session is over. */
  const look = async (onThere: () => void): Promise<void> => {
    const problem = await callApi('/dashboard/api/me').then(
      () => undefined,
      (error: unknown) => error,
    );
    if (isOver) return;
    if (isRefused(problem)) {
      end();
      return listener.onEnd();
    }
    isServerThere = !problem;
    listener.onConnection('reconnecting', isServerThere);
    later(problem ? () => void look(connect) : onThere);
  };
  connect();
  return end;
}

function isRefused(problem: unknown): boolean {
  return problem instanceof ApiProblem && (problem.status === 401 || problem.code === 'account_suspended');
}

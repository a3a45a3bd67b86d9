import { ApiProblem, callApi } from '../api/call-api';
import type { Connection, ConnectionState } from './connection';
import { createWatchdog } from './watchdog';

export interface StreamListener {
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
 * again. Meanwhile queries wait, and the page keeps what it shows. A server that is silent for too long counts as away.
 *
 * @returns a function that ends it
 */
export function followStream(listener: StreamListener, openStream: OpenStream = openEventSource): () => void {
  let stream: { close(): void } | undefined;
  let isServerThere = true;
  let isOver = false;
  let state: ConnectionState = 'connecting';
  const tell = (): void => listener.onConnection({ state, heardAt: watchdog.heardAt() }, isServerThere);
  const breakOff = (how: 'reconnecting' | 'silent' | 'offline'): void => {
    if (isOver) return;
    stream?.close();
    watchdog.stop();
    // What broke it first is shown until it is live again.
    if (state === 'connecting' || state === 'live' || how === 'offline') state = how;
    if (how !== 'reconnecting') isServerThere = false;
    tell();
    asking.now();
  };
  const watchdog = createWatchdog(() => breakOff('silent'));
  const asking = createAsking({
    onAnswer(problem) {
      if (isRefused(problem)) {
        end();
        return listener.onEnd();
      }
      isServerThere = !problem;
      tell();
    },
    onThere: () => connect(),
  });
  const connect = (): void => {
    watchdog.begin();
    stream = openStream({
      onHeard: watchdog.heard,
      onReady(heartbeatSeconds) {
        watchdog.expectEvery(heartbeatSeconds);
        watchdog.heard();
        asking.restart();
        state = 'live';
        isServerThere = true;
        tell();
      },
      onChange: listener.onChange,
      onEnd() {
        end();
        listener.onEnd();
      },
      onError: () => breakOff('reconnecting'),
    });
  };
  const goOffline = (): void => breakOff('offline');
  const goOnline = (): void => {
    if (state !== 'offline') return;
    state = 'reconnecting';
    asking.restart();
    tell();
    asking.now();
  };
  const end = (): void => {
    isOver = true;
    stream?.close();
    watchdog.stop();
    asking.end();
    removeEventListener('offline', goOffline);
    removeEventListener('online', goOnline);
  };
  addEventListener('offline', goOffline);
  addEventListener('online', goOnline);
  connect();
  return end;
}

interface Asking {
  /** @param problem why there was no answer, or a refusal; undefined if the server answered */
  onAnswer(problem: unknown): void;
  /** The server has answered, a moment ago. */
  onThere(): void;
}

/** Asks who is signed in until there is an answer: that tells whether the server is there, and whether the session is over. */
function createAsking({ onAnswer, onThere }: Asking) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = FIRST_WAIT_MS;
  // An answer to an earlier question counts no more.
  let question = 0;
  const now = async (): Promise<void> => {
    clearTimeout(timer);
    const mine = (question += 1);
    const problem = await callApi('/dashboard/api/me').then(
      () => undefined,
      (error: unknown) => error,
    );
    if (mine !== question) return;
    onAnswer(problem);
    if (mine !== question) return;
    timer = setTimeout(() => (problem ? void now() : onThere()), waitMs);
    waitMs = Math.min(MAX_WAIT_MS, waitMs * 2);
  };
  return {
    now: (): void => void now(),
    /** The next wait is a short one. */
    restart: (): void => void (waitMs = FIRST_WAIT_MS),
    end(): void {
      clearTimeout(timer);
      question += 1;
    },
  };
}

/** What a stream of changes says. */
export interface StreamEvents {
  onHeard(): void;
  /** @param heartbeatSeconds how often the server sends a line; undefined if it does not say so */
  onReady(heartbeatSeconds: number | undefined): void;
  onChange(data: string): void;
  onEnd(): void;
  onError(): void;
}

/** Opens a stream; what it returns closes it. */
export type OpenStream = (events: StreamEvents) => { close(): void };

function openEventSource(events: StreamEvents): EventSource {
  const stream = new EventSource('/dashboard/api/live');
  stream.addEventListener('open', () => events.onHeard());
  stream.addEventListener('alive', () => events.onHeard());
  stream.addEventListener('ready', ({ data }: MessageEvent<string>) => events.onReady(heartbeatOf(data)));
  stream.addEventListener('change', ({ data }: MessageEvent<string>) => {
    events.onHeard();
    events.onChange(data);
  });
  stream.addEventListener('end', () => events.onEnd());
  // A browser gives up after an answer that is no stream, such as that of a proxy whose server restarts.
  stream.addEventListener('error', () => events.onError());
  return stream;
}

/** How often the server sends a line, by what it says when the stream is ready. */
export function heartbeatOf(data: string): number | undefined {
  return (JSON.parse(data) as { heartbeat_seconds?: number }).heartbeat_seconds;
}

function isRefused(problem: unknown): boolean {
  return problem instanceof ApiProblem && (problem.status === 401 || problem.code === 'account_suspended');
}

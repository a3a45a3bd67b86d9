import { surface } from './surface';

/** A server that is stopped, or a lost network, would keep a call open for minutes. */
const MAX_ANSWER_MS = 15_000;

/** One problem of a request, and where it is: `items[2].quantity`. */
export interface ApiProblemDetail {
  readonly path: string;
  readonly message: string;
}

interface ProblemFields {
  readonly status: number;
  readonly code: string;
  readonly requestId?: string;
  readonly retryAfterSeconds?: number;
  readonly details: readonly ApiProblemDetail[];
}

/** An answer of the API that is not a success. Its message may be shown as it is. */
export class ApiProblem extends Error {
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** Stable; docs/errors.md lists them. `unreachable` when there was no answer, `timed_out` when none came in time. */
  readonly code: string;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly details: readonly ApiProblemDetail[];

  constructor(message: string, fields: ProblemFields) {
    super(message);
    this.status = fields.status;
    this.code = fields.code;
    this.requestId = fields.requestId;
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.details = fields.details;
  }
}

/** How to call. */
export interface CallOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/**
 * Calls the server that this page came from.
 *
 * @throws ApiProblem for every answer that is not a success, and when there was none
 */
export async function callApi<T>(path: string, options: CallOptions = {}): Promise<T> {
  return parse(await callApiForText(path, options)) as T;
}

/**
 * Like `callApi`, for answers whose JSON holds more than a parser keeps: big numbers, the order of members.
 *
 * @throws ApiProblem like `callApi`
 */
export async function callApiForText(path: string, options: CallOptions = {}): Promise<string> {
  const { method = 'GET', body, headers, signal } = options;
  return inTime(method, async (timeOut) => {
    const own = surface().headers();
    const answer = await fetch(surface().addressOf(path), {
      method,
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...own,
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal === undefined ? timeOut : AbortSignal.any([signal, timeOut]),
    }).catch(throwUnreachable);
    const text = await answer.text().catch(throwUnreachable);
    if (!answer.ok) {
      surface().onRefused(answer.status, own);
      throw toProblem(answer, parse(text));
    }
    return text;
  });
}

/**
 * Waits for an answer of the server, for a limited time.
 *
 * @param method tells a read from a change: what has no answer may still have happened
 * @param ask its signal is aborted when the time is over
 * @throws ApiProblem when there is none
 */
export async function inTime<T>(
  method: Required<CallOptions>['method'],
  ask: (timeOut: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeOut = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isOver = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(noAnswer('timed_out', timedOutText(method)));
      timeOut.abort();
    }, MAX_ANSWER_MS);
  });
  try {
    return await Promise.race([ask(timeOut.signal), isOver]);
  } finally {
    clearTimeout(timer);
  }
}

function throwUnreachable(error: unknown): never {
  if (error instanceof DOMException && error.name === 'AbortError') throw error;
  throw noAnswer('unreachable', 'The server did not answer. Check the connection and try again.');
}

function timedOutText(method: string): string {
  const text = `The server did not answer in ${MAX_ANSWER_MS / 1_000} s.`;
  return method === 'GET' ? text : `${text} It is unknown whether this was saved: reload to see.`;
}

function noAnswer(code: 'unreachable' | 'timed_out', message: string): ApiProblem {
  return new ApiProblem(message, { status: 0, code, details: [] });
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toProblem(answer: Response, content: unknown): ApiProblem {
  const body = (typeof content === 'object' && content !== null ? content : {}) as {
    error?: string;
    code?: string;
    request_id?: string;
    details?: ApiProblemDetail[];
  };
  const retryAfter = Number(answer.headers.get('Retry-After') ?? Number.NaN);
  return new ApiProblem(body.error ?? `The server answered with status ${answer.status}.`, {
    status: answer.status,
    code: body.code ?? 'unknown',
    details: body.details ?? [],
    ...(body.request_id === undefined ? {} : { requestId: body.request_id }),
    ...(Number.isFinite(retryAfter) ? { retryAfterSeconds: retryAfter } : {}),
  });
}

import { setTimeout as pass } from 'node:timers/promises';

/** An answer of the API; status 0 is a connection that broke, with the reason as its code. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- rows look at all kinds of bodies
  readonly body: any;
}

/** Calls the public API with an account's key; a path that begins with `//` is one of the whole server. */
export interface Api {
  call(method: string, path: string, body?: unknown, url?: string): Promise<Answer>;
  /** As `call`, and again at the other API after a broken connection or a 503, for a while. */
  insist(method: string, path: string, body?: unknown): Promise<Answer>;
}

const PREFIX = '/api/v1/webhooks';
/** Longer than any answer takes: on a machine with 30 tasks to a processor, some took more than 20 s. */
const TIMEOUT_MS = 60_000;
const INSIST_MS = 3 * TIMEOUT_MS;

function fullPath(path: string): string {
  if (path.startsWith('//')) return path.slice(1);
  return path.startsWith('/api/') ? path : `${PREFIX}${path}`;
}

/**
 * @param urls of the APIs, which are called in turn
 * @param timeoutMs how long it waits for an answer
 * @param account for a management key: the account that it acts for
 */
export function createApi(
  urls: readonly string[],
  key: string | undefined,
  timeoutMs = TIMEOUT_MS,
  account?: string,
): Api {
  let turn = 0;
  const call: Api['call'] = async (method, path, body, url) => {
    turn += 1;
    const base = url ?? urls[turn % urls.length]!;
    try {
      const answer = await fetch(`${base}${fullPath(path)}`, {
        method,
        headers: {
          ...(key !== undefined && { Authorization: `Bearer ${key}` }),
          ...(account !== undefined && { 'Everpost-Account': account }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await answer.text();
      const isJson = text !== '' && answer.headers.get('content-type')?.startsWith('application/json') === true;
      return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : undefined };
    } catch (error) {
      const reason = String((error as Error).cause ?? error);
      return { status: 0, headers: new Headers(), text: reason, body: { code: reason } };
    }
  };
  return {
    call,
    async insist(method, path, body) {
      const giveUpAt = Date.now() + INSIST_MS;
      for (;;) {
        const answer = await call(method, path, body);
        if ((answer.status !== 0 && answer.status < 500) || Date.now() > giveUpAt) return answer;
        await pass(500);
      }
    },
  };
}

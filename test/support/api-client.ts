import { problemsOf } from './conformance';
import { eventually } from './eventually';

/** An answer of the API, with its body both as text and as JSON. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look at all kinds of bodies
  readonly body: any;
}

/** Calls the API over real HTTP. */
export type ApiClient = ReturnType<typeof apiClient>;

/**
 * Calls the API over real HTTP. A string body is sent unchanged, anything else as JSON.
 *
 * Every answer is checked against the OpenAPI document, so each test of the API also tests the contract.
 *
 * @param options `conformance: false` skips that check, for answers that are not the product's
 */
export function apiClient(url: string, key?: string, options: { conformance?: boolean } = {}) {
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiAnswer> => {
    const sent =
      body === undefined
        ? {}
        : { body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body) };
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(sent as { body?: string }),
    });
    const text = await answer.text();
    if (options.conformance !== false) {
      const problems = problemsOf({ method, path, status: answer.status, headers: new Map(answer.headers), text });
      if (problems.length > 0) {
        throw new Error(
          `${method} ${path} answered ${answer.status}, against the contract:\n${problems.join('\n')}\n${text.slice(0, 2_000)}`,
        );
      }
    }
    const isJson = text !== '' && answer.headers.get('Content-Type')?.startsWith('application/json') === true;
    return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : undefined };
  };
  return {
    get: (path: string, headers?: Record<string, string>) => call('GET', path, undefined, headers),
    post: (path: string, body?: unknown, headers?: Record<string, string>) => call('POST', path, body, headers),
    put: (path: string, body?: unknown, headers?: Record<string, string>) => call('PUT', path, body, headers),
    patch: (path: string, body: unknown, headers?: Record<string, string>) => call('PATCH', path, body, headers),
    delete: (path: string, headers?: Record<string, string>) => call('DELETE', path, undefined, headers),
    call,
  };
}

/** Expects an error of the API: a status, and a code or the members that its body must have. */
export function expectError(
  { status, body }: Pick<ApiAnswer, 'status' | 'body'>,
  expected: number,
  members: string | object,
): void {
  const wanted = typeof members === 'string' ? { code: members } : members;
  expect([status, body]).toEqual([expected, expect.objectContaining(wanted)]);
}

/** The statuses of answers that come in any order, sorted. */
export function statusesOf(answers: readonly { readonly status: number }[]): number[] {
  return answers.map(({ status }) => status).sort((one, other) => one - other);
}

/** Repeats a call until the answer has a status. @returns that answer */
export function untilStatus<T extends { readonly status: number }>(ask: () => Promise<T>, status: number): Promise<T> {
  return eventually(ask, (answer) => answer.status === status);
}

/** Resolves when a process has its indexes and the catalog: it listens before that. Leaves no connection open. */
export async function untilReady(url: string): Promise<void> {
  await untilStatus(() => fetch(`${url}/readyz`, { headers: { Connection: 'close' } }), 200);
}

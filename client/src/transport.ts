import createClient, { type Client } from 'openapi-fetch';
import { createRetryingFetch, type BackOff } from './back-off.ts';
import { EverpostConnectionError, EverpostError } from './errors.ts';
import { patienceOf, type CallOptions, type Patience } from './patience.ts';
import type { paths } from './schema.ts';

/** The requests of one account, or of a key. */
export interface Transport {
  /** Every operation, typed. It throws nothing that the API answers. */
  readonly api: Client<paths>;
  /**
   * Makes a call of `api`, with its options, and returns its data.
   *
   * @throws EverpostError when it was refused or got no answer
   */
  readonly call: <Data>(options: CallOptions | undefined, ask: (how: How) => Promise<Answered<Data>>) => Promise<Data>;
}

/** What each call of `api` gets. */
export interface How {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly signal?: AbortSignal;
  /** Another host must not get the key, and a POST must not become a GET. */
  readonly redirect: 'manual';
}

interface Answered<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** Where the requests go, and who sends them. */
export interface Sender {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly backOff: BackOff;
  readonly patience: Patience;
}

/** Makes the requests of a sender. */
export function createTransport({ baseUrl, headers, backOff, patience }: Sender): Transport {
  return {
    api: createClient<paths>({ baseUrl, headers, fetch: createRetryingFetch(backOff, patience) }),
    async call(options, ask) {
      const fetch = onlyAnswersOfTheApi(createRetryingFetch(backOff, patienceOf(options, patience)));
      const signal = options?.signal;
      const { data, error, response } = await ask({ fetch, redirect: 'manual', ...(signal && { signal }) });
      if (!response.ok) throw new EverpostError(response.status, error, response.headers);
      return data!;
    },
  };
}

/** A `fetch` that throws errors of this package, unless the caller aborted. */
function onlyAnswersOfTheApi(fetch: How['fetch']): How['fetch'] {
  return async (request) => {
    const answer = await fetch(request).catch((error: unknown) => {
      if (request.signal.aborted) throw request.signal.reason;
      throw error instanceof EverpostError ? error : noAnswer(request, error);
    });
    const { status, headers, body, ok } = answer;
    if (ok && body !== null && !/^(application\/json|text\/csv)\b/.test(headers.get('Content-Type') ?? '')) {
      const message = `The answer ${status} is not JSON: something between here and the API wrote it.`;
      throw new EverpostError(status, { error: message }, headers);
    }
    return answer;
  };
}

function noAnswer({ url }: Request, error: unknown): EverpostConnectionError {
  const { code, message } = ((error as Error | undefined)?.cause ?? error ?? {}) as {
    code?: unknown;
    message?: unknown;
  };
  return new EverpostConnectionError(
    `There was no answer from ${new URL(url).origin}: ${String(code ?? message)}.`,
    error,
  );
}

/**
 * A part of a path.
 *
 * @throws TypeError for one that would name another path
 */
export function segment<Id extends string | number>(id: Id): Id {
  if (id === undefined || id === null || ['', '.', '..'].includes(String(id))) {
    throw new TypeError('An id is missing, empty, `.` or `..`.');
  }
  return id;
}

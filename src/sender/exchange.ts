import { request as httpRequest, type Agent, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { hostnameOf, portOf } from './address-guard';
import { DeadlineError, type Phase } from './classify-failure';
import { createProgress } from './progress';
import { beginReading, type Reading, type ReadingEvents } from './read-response';
import { createStatusReader, MAX_HEADER_BYTES } from './status-reader';
import type { Marks } from './timings';
import type { TunnelOptions } from './tunnel';

/** One POST, ready to send. */
export interface ExchangeRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly agent: Agent;
  /** Resolves the host name to checked addresses. Not called by an agent that tunnels. */
  readonly lookup: LookupFunction;
  /** Whether the agent tunnels through a proxy. */
  readonly isTunnelled: boolean;
  /** Aborts at the deadline of the attempt. */
  readonly signal: AbortSignal;
}

interface ExchangeFacts {
  /** When the status or the failure arrived, on the clock of `performance.now()`. */
  readonly decidedAt: number;
  /** The phase that it had reached then. */
  readonly phase: Phase;
  readonly marks: Readonly<Marks>;
  readonly remoteAddress: string | null;
}

interface Answered {
  readonly kind: 'answered';
  readonly statusCode: number;
  /** The rest of the answer, which is read beside. */
  readonly reading: Reading;
}

interface Failed {
  readonly kind: 'failed';
  readonly error: unknown;
  /** It failed on a connection that was used before, without a byte of an answer. */
  readonly staleConnection: boolean;
}

/** The result: a status, or a failure before any status. */
export type Exchange = ExchangeFacts & (Answered | Failed);

/** How long one of several addresses may take before the next is tried. Node's 250 ms are too short across an ocean. */
const CONNECT_ATTEMPT_TIMEOUT_MS = 1_000;

/** Whether a status is a success by the specification. */
export function isSuccess(statusCode: number): boolean {
  return statusCode >= 200 && statusCode <= 299;
}

/**
 * Sends one POST over one connection and resolves with its status, as soon as that arrives; the rest of the answer is
 * read beside. It follows no redirects, decompresses nothing, and resolves whatever the receiver does.
 */
export function exchange(request: ExchangeRequest): Promise<Exchange> {
  return new Promise((resolve) => {
    const { signal, url } = request;
    const status = createStatusReader();
    const progress = createProgress(request, (bytes) => read(bytes));
    const tunnel = { signal, onProxyConnected: progress.noteProxy };
    const lookup = noticed(request.lookup, progress.noteLookup);
    const options: RequestOptions & TunnelOptions = { ...requestOptions(request), lookup, tunnel };
    const req = (url.protocol === 'https:' ? httpsRequest : httpRequest)(options);
    progress.watch(req);
    let decided = false;
    let rest: ReadingEvents | undefined;

    const decide = (result: Answered | Failed): void => {
      decided = true;
      signal.removeEventListener('abort', expire);
      resolve({ ...progress.facts(), decidedAt: performance.now(), ...result });
    };
    const fail = (error: unknown) => {
      if (decided) return;
      decide({ kind: 'failed', error, staleConnection: progress.facts().staleConnection });
      req.destroy();
    };
    const expire = () => fail(new DeadlineError());
    const answer = (statusCode: number): void => {
      rest = beginReading(status.received, () => req.destroy());
      decide({ kind: 'answered', statusCode, reading: rest.reading });
    };
    const read = (bytes: Buffer): void => {
      try {
        const statusCode = status.read(bytes);
        if (statusCode !== undefined && !decided) answer(statusCode);
      } catch (error) {
        fail(error);
      }
    };

    signal.addEventListener('abort', expire);
    req.on('response', (response) => {
      progress.ignoreBytes();
      rest?.onHeaders(response);
    });
    // Stays after the decision too: a late error of a closed connection must not become an uncaught one.
    req.on('error', (error) => (rest ? rest.onError(error) : fail(error)));
    req.on('close', () => (rest ? rest.onClose() : fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))));
    if (signal.aborted) return expire();
    req.end(request.body);
  });
}

function requestOptions({ url, headers, body, agent }: ExchangeRequest): RequestOptions {
  const host = hostnameOf(url);
  return {
    method: 'POST',
    host,
    port: portOf(url),
    // An empty query is a part of the URL too.
    path: url.href.slice(url.origin.length),
    headers: {
      // RFC 9112, 3.2: first. Some CDNs refuse a request whose Host comes later.
      Host: url.host,
      ...headers,
      'Accept-Encoding': 'identity',
      'Content-Length': String(body.length),
    },
    agent,
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
    // No SNI for addresses, and no final dot (RFC 6066, section 3).
    ...{ servername: isIP(host) ? '' : host.replace(/\.$/, '') },
    ...{ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: CONNECT_ATTEMPT_TIMEOUT_MS },
  };
}

/** The same look-up. The socket's event comes too early to be seen when the answer was cached. */
function noticed(lookup: LookupFunction, onFound: () => void): LookupFunction {
  return (name, options, callback) =>
    lookup(name, options, (error, ...found) => {
      if (!error) onFound();
      callback(error, ...found);
    });
}

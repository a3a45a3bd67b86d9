import {
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  type Agent,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { hostnameOf, portOf } from './address-guard';
import { DeadlineError, ProtocolError, type Phase } from './classify-failure';
import { readSnippet } from './read-response';
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

/** The result: a status, or a failure before any status. */
export type Exchange = ExchangeFacts &
  (
    | {
        readonly kind: 'answered';
        readonly statusCode: number;
        readonly snippet: string;
        /** Names and values in turn, as received. */
        readonly rawHeaders: readonly string[];
        /** The response's `Retry-After`, as received. */
        readonly retryAfter: string | undefined;
      }
    | {
        readonly kind: 'failed';
        readonly error: unknown;
        /** It failed on a connection that was used before, without a byte of an answer. */
        readonly staleConnection: boolean;
      }
  );

const MAX_HEADER_BYTES = 16 * 1024;

/** Interim (1xx) answers before the real one; honest servers send one or two. */
const MAX_INTERIM_ANSWERS = 32;

/** The status decides a success. Its body is only shown, and not worth a longer wait. */
const SUCCESS_BODY_WAIT_MS = 2_000;

/** A failure's body may say why it failed, so it is read until the deadline. */
const FAILURE_BODY_WAIT_MS = 2 ** 31 - 1;

/** How long one of several addresses may take before the next is tried. Node's 250 ms are too short across an ocean. */
const CONNECT_ATTEMPT_TIMEOUT_MS = 1_000;

const SWITCHED_PROTOCOLS = 'The receiver answered 101 (Switching Protocols), which was not asked for.';

function describeUnfinal(statusCode: number): string {
  return statusCode === 101
    ? SWITCHED_PROTOCOLS
    : `The receiver answered ${statusCode}, which is not a final status of HTTP.`;
}

/** Whether a status is a success by the specification. */
export function isSuccess(statusCode: number): boolean {
  return statusCode >= 200 && statusCode <= 299;
}

/**
 * Sends one POST over one connection and waits for its status. It follows no redirects, decompresses nothing, and
 * resolves whatever the receiver does.
 */
export function exchange(request: ExchangeRequest): Promise<Exchange> {
  return new Promise((resolve) => {
    const { signal, url } = request;
    const progress = createProgress(request);
    const tunnel = { signal, onProxyConnected: progress.noteProxy };
    const lookup = noticed(request.lookup, progress.noteLookup);
    const options: RequestOptions & TunnelOptions = { ...requestOptions(request), lookup, tunnel };
    const req = (url.protocol === 'https:' ? httpsRequest : httpRequest)(options);
    progress.watch(req);
    let decided = false;

    const fail = (error: unknown) => {
      if (decided) return;
      decided = true;
      signal.removeEventListener('abort', expire);
      resolve({ kind: 'failed', error, decidedAt: performance.now(), ...progress.facts() });
      req.destroy();
    };
    const expire = () => fail(new DeadlineError());
    const answer = async (response: IncomingMessage) => {
      if (decided) return;
      const statusCode = response.statusCode!;
      // Node treats a 101 without an Upgrade header, and numbers that are no status of HTTP, as final answers.
      if (statusCode < 200) return fail(new ProtocolError(describeUnfinal(statusCode)));
      decided = true;
      const decidedAt = performance.now();
      const { phase, marks, remoteAddress } = progress.facts();
      signal.removeEventListener('abort', expire);
      const maxWaitMs = isSuccess(statusCode) ? SUCCESS_BODY_WAIT_MS : FAILURE_BODY_WAIT_MS;
      const snippet = await readSnippet(response, signal, maxWaitMs);
      marks.body = performance.now();
      const { rawHeaders } = response;
      const retryAfter = response.headers['retry-after'];
      const received = { statusCode, snippet, rawHeaders, retryAfter };
      resolve({ kind: 'answered', ...received, decidedAt, phase, marks, remoteAddress });
    };

    signal.addEventListener('abort', expire);
    req.on('response', (response) => void answer(response));
    refuseStrangeAnswers(req, fail);
    // Stays after the decision too: a late error of a closed connection must not become an uncaught one.
    req.on('error', fail);
    req.on('close', () => fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
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
    path: url.pathname + url.search,
    headers: { ...headers, Host: url.host, 'Accept-Encoding': 'identity', 'Content-Length': String(body.length) },
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

/** Tracks the progress of a request; `facts` returns it. */
function createProgress({ url, isTunnelled }: ExchangeRequest) {
  const whenConnected: Phase = url.protocol === 'https:' ? 'tls' : 'answer';
  const firstDirect: Phase = isIP(hostnameOf(url)) ? 'connect' : 'lookup';
  let phase: Phase = isTunnelled ? 'proxy' : firstDirect;
  let reused = false;
  let socket: Socket | undefined;
  let bytesBefore = 0;
  let remoteAddress: string | null = null;
  const marks: Marks = {};
  const end = (part: 'lookup' | 'connect' | 'tls', next: Phase): void => {
    marks[part] = performance.now();
    phase = next;
  };

  const watchConnecting = (assigned: Socket): void => {
    let tried: string | null = null;
    assigned.on('connectionAttempt', (address: string) => (tried = address));
    assigned.once('connect', () => {
      end('connect', whenConnected);
      // The kernel forgets the peer of a connection that was reset at once.
      remoteAddress = assigned.remoteAddress ?? tried;
    });
  };

  return {
    noteProxy: (): void => void (phase = 'tunnel'),
    noteLookup: (): void => end('lookup', 'connect'),
    watch(req: ClientRequest): void {
      req.once('socket', (assigned) => {
        socket = assigned;
        reused = req.reusedSocket;
        bytesBefore = assigned.bytesRead;
        // Behind a tunnel only the proxy knows the receiver's address.
        if (!isTunnelled) remoteAddress = assigned.remoteAddress ?? null;
        if (reused) {
          phase = 'answer';
          return;
        }
        assigned.once('secureConnect', () => end('tls', 'answer'));
        if (isTunnelled) end('connect', whenConnected);
        else watchConnecting(assigned);
      });
    },
    facts: () => ({
      phase,
      marks,
      remoteAddress,
      staleConnection: reused && socket !== undefined && socket.bytesRead === bytesBefore,
    }),
  };
}

/** Refuses endless interim answers, and protocol switches that were not requested. */
function refuseStrangeAnswers(req: ClientRequest, fail: (error: Error) => void): void {
  let interimAnswers = 0;
  req.on('information', () => {
    interimAnswers += 1;
    if (interimAnswers > MAX_INTERIM_ANSWERS)
      fail(new ProtocolError('The receiver sent too many interim (1xx) answers.'));
  });
  req.on('upgrade', (_response, socket) => {
    socket.destroy();
    fail(new ProtocolError(SWITCHED_PROTOCOLS));
  });
}

import { STATUS_CODES } from 'node:http';
import type { AddressPolicy, EgressProxy } from '../config';
import type { Timings } from '../domain/attempt-timings';
import type { AttemptErrorCode } from '../domain/delivery-state';
import { parseDestinationUrl } from '../domain/destination-url';
import { createAddressGuard, hostnameOf, portOf, type AddressGuard } from './address-guard';
import { BlockedAddressError, classifyFailure, isReset } from './classify-failure';
import { createConnectionPool, type ConnectionPool } from './connection-pool';
import { exchange, isSuccess, type Exchange } from './exchange';
import type { Reading } from './read-response';
import { createCheckedLookup, type HostResolver } from './resolve-destination';
import { layOver } from './signature';
import { timingsOf } from './timings';
import { ACCEPT, USER_AGENT } from './user-agent';

export interface HttpSenderDeps {
  readonly policy: AddressPolicy;
  /** One deadline over look-up, connect, TLS and status together. */
  readonly timeoutMs: number;
  /** Certificates (PEM) that are trusted in addition to the default ones. */
  readonly extraCaPem: readonly string[];
  /** Resolves names; the system's name servers by default. */
  readonly resolver?: HostResolver;
  /** The egress proxy; without one, requests go directly to the receivers. */
  readonly proxy?: EgressProxy | undefined;
  /** How long the answer of a look-up is reused; 0 queries for each connection. */
  readonly dnsCacheMs?: number;
}

/** One attempt: the results of `signDelivery` and `composeBody`, and the destination. */
export interface SendRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The receiver's answer to one attempt, or the failure. */
export interface SendResult {
  readonly startedAtMs: number;
  /** Until the status arrived, or until the attempt was given up. */
  readonly latencyMs: number;
  /** Whether the status was 2xx. */
  readonly succeeded: boolean;
  readonly statusCode: number | null;
  /** `null` for a success. */
  readonly errorCode: AttemptErrorCode | null;
  /** What went wrong, in words for the destination's owner. */
  readonly error: string | null;
  /** The rest of the answer, which is read beside; `null` without a status. */
  readonly reading: Reading | null;
  /** False when there was no connection that could carry the request. */
  readonly sent: boolean;
  /** Until the status or the failure. */
  readonly timings: Timings;
  /** 1 when a pooled connection turned out to be dead and the request was sent again. */
  readonly resends: 0 | 1;
  /** The URL that was requested; as given if it was refused. */
  readonly url: string;
  /** The address that was connected to. */
  readonly remoteAddress: string | null;
}

const DEFAULT_DNS_CACHE_MS = 5_000;

/**
 * Answers that are read beside at a time: receivers whose answers don't end must not use up the process's connections.
 * Of more, the one that is read for longest is given up.
 */
const MAX_READINGS = 1_000;

export type HttpSender = ReturnType<typeof createHttpSender>;

/**
 * Makes the sender of deliveries. Requests arrive signed. The sender guards everything that a hostile or broken
 * receiver could abuse: time, redirects, size, addresses.
 */
export function createHttpSender(deps: HttpSenderDeps) {
  const pool = createConnectionPool({ extraCaPem: deps.extraCaPem, proxy: deps.proxy });
  const makeAttempt = createAttempt(deps, pool);
  const underWay = new Set<Promise<unknown>>();
  const readings = new Set<Reading>();
  const boundReadings = (reading: Reading): void => {
    readings.add(reading);
    void reading.ended.then(() => readings.delete(reading));
    const [longest] = readings;
    if (readings.size > MAX_READINGS) longest!.stop();
  };
  let closed = false;
  return {
    /**
     * Makes one attempt. Resolves whatever a receiver does, and as soon as its status is there.
     *
     * @throws LocalFaultError when this machine could not make it: that is not an answer and must not count as one
     */
    async send(request: SendRequest): Promise<SendResult> {
      if (closed) throw new Error('the sender is closed');
      const sending = makeAttempt(request);
      underWay.add(sending);
      try {
        const result = await sending;
        if (result.reading) boundReadings(result.reading);
        return result;
      } finally {
        underWay.delete(sending);
      }
    },
    /** Waits for attempts and readings under way, then closes all connections. Nothing can be sent afterwards. */
    async close(): Promise<void> {
      closed = true;
      await Promise.allSettled(underWay);
      await Promise.allSettled([...readings].map(({ ended }) => ended));
      pool.close();
    },
  };
}

function createAttempt(deps: HttpSenderDeps, pool: ConnectionPool): (request: SendRequest) => Promise<SendResult> {
  const { policy, timeoutMs } = deps;
  const guard = createAddressGuard(policy);
  const cacheMs = deps.dnsCacheMs ?? DEFAULT_DNS_CACHE_MS;
  const lookupFor = createCheckedLookup({ guard, resolver: deps.resolver, cacheMs });

  return async ({ url, headers, body }) => {
    const now = { startedAtMs: Date.now(), started: performance.now(), timeoutMs };
    const target = judgeTarget(url, policy, guard);
    if (target instanceof BlockedAddressError) return presentResult({ ...now, url }, refused(target), '', 0);
    const began = { ...now, url: target.href };
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    try {
      const post = (fresh: boolean) =>
        exchange({
          url: target,
          headers: layOver({ 'User-Agent': USER_AGENT, Accept: ACCEPT }, headers),
          body,
          agent: pool.agentFor(target.protocol, fresh),
          lookup: lookupFor(portOf(target)),
          isTunnelled: deps.proxy !== undefined,
          signal: deadline.signal,
        });
      const first = await post(false);
      // The receiver closed an idle connection at the moment of its reuse (RFC 9112, 9.3.1). Neither side is at fault.
      // If no byte of an answer arrived, the request is sent again on a new connection.
      const wasDead = first.kind === 'failed' && first.staleConnection && isReset(first.error);
      return presentResult(began, wasDead ? await post(true) : first, hostnameOf(target), wasDead ? 1 : 0);
    } finally {
      clearTimeout(timer);
    }
  };
}

/**
 * Checks the URL like registration did: the policy may have changed since, and sockets don't look up literal addresses.
 */
function judgeTarget(raw: string, policy: AddressPolicy, guard: AddressGuard): URL | BlockedAddressError {
  const parsed = parseDestinationUrl(raw, policy);
  if (!parsed.ok) return new BlockedAddressError(parsed.message);
  const refusal = guard.judgeUrl(parsed.url);
  return refusal ? new BlockedAddressError(refusal.message) : parsed.url;
}

function refused(error: BlockedAddressError): Exchange {
  return {
    kind: 'failed',
    error,
    phase: 'lookup',
    staleConnection: false,
    decidedAt: performance.now(),
    marks: {},
    remoteAddress: null,
  };
}

function presentResult(
  began: { startedAtMs: number; started: number; url: string; timeoutMs: number },
  outcome: Exchange,
  host: string,
  resends: 0 | 1,
): SendResult {
  return {
    startedAtMs: began.startedAtMs,
    latencyMs: Math.round(outcome.decidedAt - began.started),
    ...describe(outcome, host, began.timeoutMs),
    reading: outcome.kind === 'answered' ? outcome.reading : null,
    sent: outcome.phase === 'answer',
    timings: timingsOf(began.started, outcome.marks, { at: outcome.decidedAt, phase: outcome.phase }),
    resends,
    url: began.url,
    remoteAddress: outcome.remoteAddress,
  };
}

function describe(outcome: Exchange, host: string, timeoutMs: number) {
  if (outcome.kind === 'failed') {
    const failure = classifyFailure(outcome.error, { host, phase: outcome.phase, timeoutMs });
    return { succeeded: false, statusCode: null, ...failure };
  }
  const { statusCode } = outcome;
  if (isSuccess(statusCode)) return { succeeded: true, statusCode, errorCode: null, error: null };
  return { succeeded: false, statusCode, errorCode: 'http_status' as const, error: describeStatus(statusCode) };
}

/** The redirect statuses of the Fetch standard: 304 is none. */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function describeStatus(statusCode: number): string {
  const name = STATUS_CODES[statusCode];
  const answered = `The receiver answered ${statusCode}${name ? ` ${name}` : ''}`;
  return REDIRECTS.has(statusCode) ? `${answered}; redirects are never followed.` : `${answered}.`;
}

import { closedBy, type ClosableEndpoint } from './delivery-contract';
import type { AttemptErrorCode } from './delivery-state';
import type { FailureKind } from './failure-causes';

/**
 * The health of an endpoint. `failing`: its attempts fail, one after the other. `degraded`: some of its attempts fail.
 * `waiting`: it had no attempt in 30 days, or nothing may be sent to it yet.
 */
export const HEALTH_STATES = ['healthy', 'degraded', 'failing', 'paused', 'disabled', 'waiting'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/** Why attempts fail. */
export interface FailureCause extends FailureKind {
  /** A sentence for the endpoint's owner. */
  readonly text: string;
}

/** An endpoint that fails, or that failed until now. */
export interface EndpointOutage {
  readonly account_id: string;
  readonly endpoint_id: string;
  /** The first failure. */
  readonly since: Date;
  /** Null while the endpoint fails. */
  readonly recovered_at: Date | null;
  /** Failed attempts in a row when it was found; 0 after a recovery. */
  readonly failures: number;
  /** Of the last failed attempt. */
  readonly cause: FailureCause | null;
}

/** Failed attempts in a row. */
export interface FailureRun {
  /** When the first one failed. */
  readonly since: Date;
  readonly failures: number;
  /** How many of them had the cause of the last one, counted back from it. */
  readonly sameCause: number;
}

/** What some answered attempts say about an endpoint. */
export interface AnswersSeen {
  readonly succeededAt: Date | null;
  readonly failedAt: Date | null;
  /** Of the last failed attempt; null if none failed. */
  readonly cause: FailureCause | null;
  /** The failures after the last success, or all; null if the last attempt succeeded. */
  readonly run: FailureRun | null;
}

/** What one answered attempt says. @param cause null if it succeeded */
export function answerSeen(at: Date, cause: FailureCause | null): AnswersSeen {
  return cause
    ? { succeededAt: null, failedAt: at, cause, run: { since: at, failures: 1, sameCause: 1 } }
    : { succeededAt: at, failedAt: null, cause: null, run: null };
}

/** What earlier and later answers say together. */
export function mergeSeen(earlier: AnswersSeen, later: AnswersSeen): AnswersSeen {
  return {
    succeededAt: later.succeededAt ?? earlier.succeededAt,
    failedAt: later.failedAt ?? earlier.failedAt,
    cause: later.cause ?? earlier.cause,
    run: later.succeededAt || !earlier.run || !later.run ? later.run : continuedRun(earlier, later.run, later.cause),
  };
}

function continuedRun({ run, cause }: AnswersSeen, later: FailureRun, laterCause: FailureCause | null): FailureRun {
  const isSame = later.sameCause === later.failures && cause?.text === laterCause?.text;
  return {
    since: run!.since,
    failures: run!.failures + later.failures,
    sameCause: isSame ? run!.sameCause + later.sameCause : later.sameCause,
  };
}

/**
 * Failures in a row that make an endpoint fail: the first attempt and two retries, which the default schedule makes
 * within six seconds. Fewer are what retries are for. An endpoint that never answered 2xx fails from the first one on.
 */
export const FAILURES_IN_A_ROW = 3;
/** The share of failed attempts of the last hour from which an endpoint is degraded: one retry in a hundred deliveries. */
const DEGRADED_FROM = 0.01;

/** Whether an endpoint's attempts fail, one after the other. */
function isFailing({ run, succeededAt }: Pick<AnswersSeen, 'run' | 'succeededAt'>): boolean {
  return run !== null && (run.failures >= FAILURES_IN_A_ROW || succeededAt === null);
}

/**
 * The state of an endpoint's health.
 *
 * @param seen what its attempts of the last 30 days say; null if there were none
 * @param lastHour its attempts of the last hour
 */
export function healthState(
  endpoint: ClosableEndpoint,
  seen: AnswersSeen | null,
  lastHour: { readonly attempts: number; readonly succeeded: number },
): HealthState {
  const closed = closedBy(endpoint);
  if (closed === 'paused' || closed === 'disabled') return closed;
  if (closed || !seen) return 'waiting';
  if (isFailing(seen)) return 'failing';
  const failed = lastHour.attempts - lastHour.succeeded;
  if (failed > 0 && failed >= lastHour.attempts * DEGRADED_FROM) return 'degraded';
  return seen.run ? 'degraded' : 'healthy';
}

const WORDS: Readonly<Record<AttemptErrorCode, string>> = {
  http_status: 'HTTP error',
  timeout: 'No answer in time',
  dns_error: 'DNS: name not resolved',
  connection_refused: 'Connection refused',
  connection_reset: 'Connection closed',
  tls_error: 'TLS: no secure connection',
  blocked_address: 'No allowed address',
  proxy_error: 'Egress proxy failed',
  protocol_error: 'Not valid HTTP',
};

/** A cause in a few words: `HTTP 503`, `DNS: name not resolved`. */
export function causeInWords({ code, statusCode }: FailureKind): string {
  return code === 'http_status' && statusCode !== null ? `HTTP ${statusCode}` : WORDS[code];
}

import type { AccountStore } from '../accounts/account-store';
import { attemptId, type RecordedAnswer } from '../stores/attempt-store';
import type { LoadedDelivery } from '../stores/delivery-store';
import { closedBy, type AttemptInput } from '../domain/delivery-contract';
import { isOperationalType } from '../domain/event-pattern';
import type { AutoDisableStore } from '../endpoints/auto-disable-store';
import type { Gate } from './gate';
import { standsInLine, type Endpoint } from '../stores/endpoint-store';
import type { Clock } from '../platform/clock';

/** What handling an answer needs. */
export interface SettleDeps {
  readonly autoDisable: AutoDisableStore;
  readonly accounts: Pick<AccountStore, 'bumpEndpointsVersion'>;
  readonly clock: Clock;
  /** How long an endpoint may only fail before it is disabled; null means forever. */
  readonly autoDisableAfterMs: number | null;
  readonly gate: Pick<Gate, 'look'>;
  /** Announces an event to the account's own endpoints. A repeated call announces nothing again. */
  readonly announce: {
    deliveryFailed(input: AttemptInput, delivery: LoadedDelivery, answer: RecordedAnswer): Promise<void>;
    endpointDisabled(endpoint: Endpoint): Promise<void>;
  };
}

/** The database decides whether the time has passed. It is not asked earlier than this before the end. */
const CLOCKS_MAY_DIFFER_MS = 60_000;
const GONE = 410;

/**
 * Handles the consequences of a recorded answer: releases the next delivery in an ordered endpoint's line, disables an
 * endpoint that is gone or only fails, and announces operational events. It can be repeated at any time: after a crash
 * in the middle, Temporal runs the attempt again, which finds its answer recorded and repeats this.
 *
 * The answer to a test only moves the line on.
 *
 * For a success of an endpoint without options it makes no query.
 */
export async function settleAnswer(
  deps: SettleDeps,
  input: AttemptInput,
  { delivery, endpoint }: { delivery: LoadedDelivery; endpoint: Endpoint | null },
  answer: RecordedAnswer,
): Promise<void> {
  const isLast = answer.succeeded || input.nextDelayMs === null;
  if (endpoint && isLast && standsInLine(endpoint, input)) deps.gate.look(endpoint._id);
  if (delivery.destination.test) return;
  if (endpoint && answer.succeeded && endpoint.failing_since) await deps.autoDisable.noteSuccess(endpoint._id);
  if (answer.succeeded) return;
  const isOperational = isOperationalType(delivery.event.type);
  if (endpoint) {
    const disabled = await disableIfDue(deps, input, endpoint, answer);
    if (disabled && !isOperational) await deps.announce.endpointDisabled(disabled);
  }
  if (isLast && !isOperational) await deps.announce.deliveryFailed(input, delivery, answer);
}

/** @returns the endpoint if this answer disabled it, now or before a crash */
async function disableIfDue(
  { autoDisable, accounts, autoDisableAfterMs: afterMs, clock }: SettleDeps,
  input: AttemptInput,
  endpoint: Endpoint,
  answer: RecordedAnswer,
): Promise<Endpoint | null> {
  const { _id: id, failing_since: since } = endpoint;
  const by = attemptId(input);
  if (endpoint.disabled_by === by) return endpoint.status === 'disabled' ? endpoint : null;
  if (closedBy(endpoint)) return null;
  let disabled: Endpoint | null = null;
  if (answer.status_code === GONE && endpoint.options?.disable_on_gone)
    disabled = await autoDisable.disable(id, 'gone', { by });
  else if (afterMs !== null && !since) await autoDisable.noteFailure(id);
  else if (afterMs !== null && since && clock() - since.getTime() >= afterMs - CLOCKS_MAY_DIFFER_MS)
    disabled = await autoDisable.disable(id, 'failing', { by, failingForMs: afterMs });
  if (disabled) await accounts.bumpEndpointsVersion(endpoint.account_id);
  return disabled;
}

import { eventSettingsOf, type AccountStore } from '../accounts/account-store';
import type { StoredAnswer } from '../stores/attempt-store';
import type { LoadedDelivery } from '../stores/delivery-store';
import type { DispatchStore } from '../stores/dispatch-store';
import { deliveryId, type DeliveryRef } from '../domain/delivery-contract';
import type { EndpointOutage } from '../domain/endpoint-health';
import { UnprocessableError } from '../domain/errors';
import { matchesEventType } from '../domain/event-pattern';
import type { ReachedQuota } from '../domain/quota-level';
import type { Endpoint } from '../stores/endpoint-store';
import { ingestEvent, type IngestDeps } from './ingest-event';
import type { Caller } from './new-event';
import { operationalScope, type IdempotencyStore, type KeyReservation } from '../stores/idempotency-store';

/** What announcing operational events needs. */
export interface AnnounceDeps extends IngestDeps {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly dispatch: Pick<DispatchStore, 'now'>;
}

/**
 * Ingests operational events like callers' events. Each is announced once, however often this is called: its
 * idempotency key identifies what happened. The keys have a scope of their own, where no caller's key can be.
 *
 * Stores nothing unless an endpoint of the account subscribes.
 */
export function createAnnouncer(deps: AnnounceDeps) {
  const announce = createAnnounce(deps);
  return {
    /** A delivery used up its schedule: `everpost.delivery.failed`. */
    deliveryFailed(
      { eventId, endpointId, run }: DeliveryRef,
      { event, destination }: LoadedDelivery,
      answer: StoredAnswer,
    ): Promise<void> {
      const id = deliveryId({ eventId, endpointId });
      const about = { accountId: event.account_id, traceparent: event.traceparent };
      return announce(about, 'everpost.delivery.failed', `delivery.failed/${id}/${run}`, {
        delivery_id: id,
        event_id: eventId,
        event_type: event.type,
        endpoint_id: endpointId,
        run,
        last_status_code: answer.status_code,
        last_error_code: answer.error_code,
        last_attempt_at: answer.started_at.toISOString(),
        ...(destination.replay_job && { replay_id: destination.replay_job }),
      });
    },
    /** The answers of an endpoint disabled it: `everpost.endpoint.disabled`. */
    endpointDisabled(endpoint: Endpoint): Promise<void> {
      const { _id: id, account_id: accountId, disabled_reason: reason, failing_since: since } = endpoint;
      const disabledAt = endpoint.disabled_at!.toISOString();
      return announce({ accountId }, 'everpost.endpoint.disabled', `endpoint.disabled/${id}/${disabledAt}`, {
        endpoint_id: id,
        reason,
        disabled_at: disabledAt,
        ...(reason === 'failing' && since && { failing_since: since.toISOString() }),
      });
    },
    /** An endpoint has failed for `ENDPOINT_FAILING_AFTER`: `everpost.endpoint.failing`. */
    endpointFailing({ endpoint_id: id, account_id: accountId, since, failures, cause }: EndpointOutage): Promise<void> {
      const failingSince = since.toISOString();
      return announce({ accountId }, 'everpost.endpoint.failing', `endpoint.failing/${id}/${failingSince}`, {
        endpoint_id: id,
        failing_since: failingSince,
        failed_attempts: failures,
        last_status_code: cause?.statusCode ?? null,
        last_error_code: cause?.code ?? null,
      });
    },
    /** An endpoint that was announced as failing answered 2xx: `everpost.endpoint.recovered`. */
    endpointRecovered({
      endpoint_id: id,
      account_id: accountId,
      since,
      recovered_at: at,
    }: EndpointOutage): Promise<void> {
      const failingSince = since.toISOString();
      return announce({ accountId }, 'everpost.endpoint.recovered', `endpoint.recovered/${id}/${failingSince}`, {
        endpoint_id: id,
        failing_since: failingSince,
        recovered_at: at!.toISOString(),
      });
    },
    /** The account reached a level of its monthly quota: `everpost.quota.reached`. */
    quotaReached({ account_id: accountId, level, used, limit, ...at }: ReachedQuota): Promise<void> {
      const resetAt = at.resets_at.toISOString();
      return announce({ accountId }, 'everpost.quota.reached', `quota.reached/${resetAt}/${limit}/${level}`, {
        percent: level,
        quota_limit: limit,
        quota_used: used,
        reached_at: at.reached_at.toISOString(),
        reset_at: resetAt,
      });
    },
  };
}

function createAnnounce(deps: AnnounceDeps) {
  const own: IngestDeps = { ...deps, idempotency: reservedScope(deps.idempotency) };
  return async (
    { accountId, traceparent }: Pick<Caller, 'accountId' | 'traceparent'>,
    type: string,
    key: string,
    data: object,
  ): Promise<void> => {
    const account = await deps.accounts.find(accountId);
    if (!account) return;
    const settings = eventSettingsOf(account);
    const endpoints = await deps.endpointCache.endpointsOf(accountId, settings.endpointsVersion);
    if (!endpoints.some(({ events }) => events.some((pattern) => matchesEventType(pattern, type)))) return;
    const caller = { accountId, ...settings, now: await deps.dispatch.now(), traceparent };
    const input = { type, data: Buffer.from(JSON.stringify(data)), idempotencyKey: key };
    await ingestEvent(own, caller, input).catch((error: unknown) => {
      // The account's own filters can't be evaluated: a retry would not help.
      if (!(error instanceof UnprocessableError)) throw error;
    });
  };
}

function reservedScope(idempotency: IdempotencyStore): IdempotencyStore {
  const inScope = (reservations: readonly KeyReservation[]): KeyReservation[] =>
    reservations.map((reservation) => ({ ...reservation, accountId: operationalScope(reservation.accountId) }));
  return {
    ...idempotency,
    reserve: (reservations, signal) => idempotency.reserve(inScope(reservations), signal),
    renew: (reservations) => idempotency.renew(inScope(reservations)),
  };
}

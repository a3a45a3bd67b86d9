import { randomUUID } from 'node:crypto';
import { createAttempts, type AttemptDeps } from '../engine/attempt';
import type { Config } from '../config';
import { createAccountTiers } from '../accounts/account-tiers';
import { createDispatcher, type Dispatcher } from '../engine/dispatcher';
import { createEndpointCapacity } from '../engine/endpoint-capacity';
import { createGate } from '../engine/gate';
import { createReceiverBudget } from '../engine/receiver-budget';
import { createExecutions } from '../engine/executions';
import { startOf } from '../engine/task';
import { createAnswerLog, type AnswerLog } from '../endpoints/answer-log';
import { createDeliveryLog, type DeliveryLog } from '../endpoints/delivery-log';
import { createKeyCheck } from '../endpoints/check-keys';
import { countStates } from '../endpoints/count-states';
import { createEndpointCache } from '../endpoints/endpoint-cache';
import { optionHeaders } from '../endpoints/sealed-options';
import {
  mailChannel,
  OUTAGES,
  outageEventChannel,
  quotaEventChannel,
  QUOTAS,
  webhookChannel,
  type Topic,
} from '../alerts/channels';
import type { Notice } from '../alerts/notice-store';
import type { Channel } from '../alerts/tell-alerts';
import { UNCHECKED } from '../event-types/check-events';
import { createAnnouncer } from '../events/announce-operational-event';
import { createEventIds } from '../events/event-ids';
import { createDeliveryBudget, UNCOUNTED } from '../limits/delivery-budget';
import { UNCOUNTED_FILTERS } from '../limits/filter-budget';
import { createStorageBudget, UNLIMITED_STORAGE } from '../limits/storage-budget';
import { createDeliveryBudgetStore } from '../limits/delivery-budget-store';
import { systemClock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import { createMailer } from '../platform/mailer';
import { createMetrics, type MetricSources } from '../platform/metrics';
import type { Mongo } from '../platform/mongo';
import { createJsonPoster } from '../platform/post-json';
import { productVersion } from '../platform/product-version';
import { createSecretBox } from '../platform/secret-box';
import type { TemporalLink } from '../platform/temporal';
import { attemptNow } from '../deliveries/retry-delivery';
import { claimLeaseMs } from '../domain/claim-lease';
import type { ListedDelivery } from '../stores/list-deliveries-store';
import { createHttpSender } from '../sender/http-sender';
import { createStores, type Stores } from './create-stores';

/** What a process has once, in any role. */
export interface Platform {
  readonly config: Config;
  readonly logger: Logger;
  readonly mongo: Mongo;
  readonly temporal: TemporalLink;
}

/** The parts that every role needs. */
export type Composition = ReturnType<typeof compose>;

/**
 * Wires what every role needs: the stores, and everything between the ingest and the receiver. It starts and connects
 * nothing but timers that keep caches fresh.
 *
 * A process that is API and worker is `eager`: its worker may take a delivery's first task at once.
 */
export function compose(platform: Platform, role: 'api' | 'worker' | 'all') {
  const eager = role === 'all';
  const { config, logger, mongo, temporal } = platform;
  const { schedule, firstAttempt: mode, executionsPerSecond, timeoutMs } = config.delivery;
  const stores = createStores(mongo.db, config);
  const { deliveries } = stores;
  const capacity = createEndpointCapacity();
  const tiers = createAccountTiers(stores.accounts, config.limits.tiers);
  const receivers = createReceiverBudget(tiers);
  const owner = randomUUID();
  const startsWaiting = () => dispatcher.waiting();
  const metrics = metricsOf(platform, { role, stores, startsWaiting, topReceivers: receivers.top });
  const executions = createExecutions({ temporal, deliveries, logger, schedule, eager });
  // The only circle: the gate dispatches what it releases, and the end of an attempt has the gate release the next.
  const gate = createGate({ ...stores, capacity, receivers, dispatcher: () => dispatcher, logger, owner });
  const secretBox = createSecretBox(config.encryptionKeys);
  const keyCheck = createKeyCheck({ ...stores, secretBox });
  const deliveryLog = createDeliveryLog({ ...stores, clock: systemClock, logger });
  const answerLog = createAnswerLog({ ...stores, deliveryLog, logger });
  const announce = announcerOf(stores, config.retentionMs, () => dispatcher);
  const shared = { stores, secretBox, capacity, receivers, announce, metrics, gate, answerLog };
  /** @param processOwner names the process in claims */
  const attemptDeps = (processOwner: string): AttemptDeps =>
    attemptDepsOf(platform, { ...shared, owner: processOwner });
  const attempts = createAttempts(attemptDeps(owner));
  const dispatcher: Dispatcher = createDispatcher({
    mode,
    executionsPerSecond,
    executions,
    attempts,
    deliveries,
    schedule,
    capacity,
    gate,
    owner,
    leaseMs: claimLeaseMs(timeoutMs),
    eager,
    onFirstAttempt: (way) => metrics.firstAttempts.inc({ way }),
    logger,
  });
  return {
    stores,
    /** Names this process in claims and leases. */
    owner,
    metrics,
    secretBox,
    keyCheck,
    capacity,
    storage: createStorageBudget({ stored: stores.stored, tiers }),
    budget: createDeliveryBudget(createDeliveryBudgetStore(mongo.db, config.limits.tiers)),
    executions,
    dispatcher: countingAccepted(dispatcher, deliveryLog),
    gate,
    attempts,
    answerLog,
    deliveryLog,
    /** Who is told that endpoints fail, and that quotas are used up. */
    channels: channelsOf(config, announce),
    /** The dependencies for the attempts of another process. */
    attemptDeps,
    /** Starts a run of a bulk replay, which is due at once. */
    startRun: (run: ListedDelivery) => executions.start(startOf(run, run.destination.next_attempt_at!)),
    /** Makes the next attempt of a run that is still retried. */
    retryRun: (run: ListedDelivery, now: Date) => attemptNow(executions, startOf(run, now)),
    /** Creates the indexes, and removes the state of options that were switched off; does nothing if that is done. */
    ensureIndexes: async () => {
      const indexed = Object.values(stores).filter((store) => 'ensureIndexes' in store);
      await Promise.all(indexed.map((store) => store.ensureIndexes()));
      if (!config.delivery.verifiesHosts) await stores.endpoints.forgetVerifications();
    },
  };
}

function metricsOf(
  { mongo, temporal }: Platform,
  { stores, ...own }: Pick<MetricSources, 'role' | 'startsWaiting' | 'topReceivers'> & { readonly stores: Stores },
) {
  return createMetrics({
    ...own,
    version: productVersion(),
    endpointStates: () => countStates(stores),
    lateness: () => stores.backlog.lateness(new Date(systemClock())),
    capacity: () => stores.capacity.read(),
    mongoPool: mongo.pool,
    isMongoUp: () => mongo.isUp(),
    isTemporalUp: () => temporal.isHealthy(),
  });
}

/** Announces operational events, whatever the account's budget. */
function announcerOf(stores: Stores, retentionMs: number, dispatcher: () => Dispatcher) {
  return createAnnouncer({
    ...stores,
    retentionMs,
    eventIds: createEventIds(stores.events),
    endpointCache: createEndpointCache(stores.endpoints),
    dispatcher: {
      placeFor: (...at) => dispatcher().placeFor(...at),
      accept: (...it) => dispatcher().accept(...it),
    },
    budget: UNCOUNTED,
    filterBudget: UNCOUNTED_FILTERS,
    storage: UNLIMITED_STORAGE,
    checkEvents: UNCHECKED,
  });
}

function channelsOf({ alerts }: Config, announce: ReturnType<typeof announcerOf>) {
  const { mail, webhookUrl } = alerts;
  const send = mail && createMailer(mail.smtpUrl);
  const post = webhookUrl === undefined ? undefined : createJsonPoster(webhookUrl);
  const toOperator = <N extends Notice>(topic: Topic<N>): readonly Channel<N>[] => [
    ...(mail && send ? [mailChannel(topic, send, mail)] : []),
    ...(post ? [webhookChannel(topic, post)] : []),
  ];
  return {
    outages: [outageEventChannel(announce), ...toOperator(OUTAGES)],
    quotas: [quotaEventChannel(announce), ...toOperator(QUOTAS)],
  };
}

/** The same dispatcher; it counts new deliveries. */
function countingAccepted(dispatcher: Dispatcher, deliveryLog: DeliveryLog): Dispatcher {
  return {
    ...dispatcher,
    accept(delivery, ...rest) {
      deliveryLog.noteAccepted(delivery);
      dispatcher.accept(delivery, ...rest);
    },
  };
}

/** What an attempt needs: the sender, the endpoint's options, and what handles the answer. */
function attemptDepsOf(
  { config, logger }: Platform,
  {
    metrics,
    ...parts
  }: Pick<AttemptDeps, 'secretBox' | 'capacity' | 'receivers' | 'owner' | 'announce' | 'gate'> & {
    readonly stores: Stores;
    readonly metrics: ReturnType<typeof createMetrics>;
    readonly answerLog: AnswerLog;
  },
): AttemptDeps {
  const { stores, ...rest } = parts;
  return {
    ...stores,
    ...rest,
    sender: createHttpSender(config.delivery),
    clock: systemClock,
    logger,
    timeoutMs: config.delivery.timeoutMs,
    retryJitter: config.delivery.retryJitter,
    autoDisableAfterMs: config.delivery.autoDisableAfterMs,
    answerLog: {
      note(recorded) {
        if (!recorded.answer.succeeded && recorded.input.nextDelayMs === null) metrics.exhaustedDeliveries.inc();
        parts.answerLog.note(recorded);
      },
    },
    optionHeaders: ({ _id, options }) => optionHeaders(rest.secretBox, _id, options),
    onAnswer: (answer) => {
      const outcome = answer.succeeded ? 'success' : (answer.errorCode ?? 'http_status');
      metrics.attempts.observe({ outcome }, answer.latencyMs / 1_000);
    },
  };
}

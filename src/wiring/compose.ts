import { randomUUID } from 'node:crypto';
import { createAttemptDelivery, type AttemptDelivery, type AttemptDeps } from '../../activities/attempt-delivery';
import type { Config } from '../config';
import { createDispatcher, type Dispatcher } from '../dispatch/dispatcher';
import { createEndpointLoad } from '../dispatch/endpoint-load';
import { createGate, type Gate } from '../dispatch/gate';
import { createExecutions, startOf } from '../dispatch/executions';
import { createAnswerLog, type AnswerLog } from '../endpoints/answer-log';
import { countStates } from '../endpoints/count-states';
import { createEndpointCache } from '../endpoints/endpoint-cache';
import { optionHeaders } from '../endpoints/endpoint-options';
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
import { createAnnouncer } from '../events/announce-operational-event';
import { createEventIds } from '../events/event-ids';
import { createDeliveryBudget, UNCOUNTED } from '../limits/delivery-budget';
import { createDeliveryBudgetStore } from '../limits/delivery-budget-store';
import { systemClock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import { createMailer } from '../platform/mailer';
import { createMetrics } from '../platform/metrics';
import type { Mongo } from '../platform/mongo';
import { createJsonPoster } from '../platform/post-json';
import { createSecretBox } from '../platform/secret-box';
import type { TemporalLink } from '../platform/temporal';
import { claimLeaseMs } from '../record/attempt-store';
import type { ListedDelivery } from '../record/list-deliveries-store';
import { createHttpSender } from '../sender/http-sender';
import { createStores, type Stores } from './create-stores';

/** What a process has once, in any role. */
export interface Platform {
  readonly config: Config;
  readonly logger: Logger;
  readonly mongo: Mongo;
  readonly temporal: TemporalLink;
}

/** The attempts of this process: those of its worker, and express ones. */
export interface Attempts extends AttemptDelivery {
  readonly deps: AttemptDeps;
}

export function createAttempts(deps: AttemptDeps): Attempts {
  return { deps, ...createAttemptDelivery(deps) };
}

/** The parts that every role needs. */
export type Composition = ReturnType<typeof compose>;

/**
 * Wires what every role needs: the stores, and everything between the ingest and the receiver. It starts and connects
 * nothing but timers that keep caches fresh.
 *
 * @param eager whether this process also runs a worker, which may take a delivery's first task at once
 */
export function compose(platform: Platform, eager: boolean) {
  const { config, logger, mongo, temporal } = platform;
  const { schedule, firstAttempt: mode, timeoutMs } = config.delivery;
  const stores = createStores(mongo.db, config);
  const { deliveries } = stores;
  const load = createEndpointLoad();
  const owner = randomUUID();
  const metrics = createMetrics({
    startsWaiting: () => dispatcher.waiting(),
    endpointStates: () => countStates(stores),
  });
  const executions = createExecutions({ temporal, deliveries, logger, schedule, eager });
  const dispatcher: Dispatcher = createDispatcher({
    mode,
    executions,
    attempt: (...call) => attempts.make(...call),
    deliveries,
    schedule,
    load,
    lookAt: (endpointId) => gate.look(endpointId),
    owner,
    leaseMs: claimLeaseMs(timeoutMs),
    eager,
    onFirstAttempt: (way) => metrics.firstAttempts.inc({ way }),
    logger,
  });
  const gate: Gate = createGate({ ...stores, load, dispatcher, logger, owner });
  const secretBox = createSecretBox(config.encryptionKeys);
  const answerLog = createAnswerLog({ ...stores, logger });
  const announce = announcerOf(stores, dispatcher);
  /** @param processOwner names the process in claims */
  const attemptDeps = (processOwner: string): AttemptDeps =>
    attemptDepsOf(platform, { stores, secretBox, load, announce, metrics, gate, answerLog, owner: processOwner });
  const attempts: Attempts = createAttempts(attemptDeps(owner));
  return {
    stores,
    /** Names this process in claims and leases. */
    owner,
    metrics,
    secretBox,
    load,
    budget: createDeliveryBudget(createDeliveryBudgetStore(mongo.db, config.limits.tiers)),
    executions,
    dispatcher,
    gate,
    attempts,
    answerLog,
    /** Who is told that endpoints fail, and that quotas are used up. */
    channels: channelsOf(config, announce),
    /** The dependencies for the attempts of another process. */
    attemptDeps,
    /** Starts a run of a bulk replay, which is due at once. */
    startRun: (run: ListedDelivery) => executions.start(startOf(run, run.destination.next_attempt_at!)),
    /** Creates the indexes, and removes the state of options that were switched off; does nothing if that is done. */
    ensureIndexes: async () => {
      const indexed = Object.values(stores).filter((store) => 'ensureIndexes' in store);
      await Promise.all(indexed.map((store) => store.ensureIndexes()));
      if (!config.delivery.verifiesHosts) await stores.endpoints.forgetVerifications();
    },
  };
}

/** Announces operational events, whatever the account's budget. */
function announcerOf(stores: Stores, dispatcher: Dispatcher) {
  return createAnnouncer({
    ...stores,
    eventIds: createEventIds(stores.events),
    endpointCache: createEndpointCache(stores.endpoints),
    dispatcher,
    budget: UNCOUNTED,
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

/** What an attempt needs: the sender, the endpoint's options, and what handles the answer. */
function attemptDepsOf(
  { config, logger }: Platform,
  {
    metrics,
    gate,
    ...parts
  }: Pick<AttemptDeps, 'secretBox' | 'load' | 'owner' | 'announce'> & {
    readonly stores: Stores;
    readonly metrics: ReturnType<typeof createMetrics>;
    readonly gate: Gate;
    readonly answerLog: AnswerLog;
  },
): AttemptDeps {
  const { stores, ...rest } = parts;
  return {
    ...stores,
    ...rest,
    sender: createHttpSender(config.delivery),
    lookAt: gate.look,
    onEnd: gate.attemptEnded,
    clock: systemClock,
    logger,
    timeoutMs: config.delivery.timeoutMs,
    autoDisableAfterMs: config.delivery.autoDisableAfterMs,
    optionHeaders: ({ _id, options }) => optionHeaders(rest.secretBox, _id, options),
    onAnswer: (answer) => {
      const outcome = answer.succeeded ? 'success' : (answer.errorCode ?? 'http_status');
      metrics.attempts.observe({ outcome }, answer.latencyMs / 1_000);
    },
  };
}

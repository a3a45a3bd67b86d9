import { randomUUID } from 'node:crypto';
import { createActivities, type ActivityDeps } from '../../activities';
import { createDestinationCap } from '../../activities/destination-cap';
import { createUnrecordedAnswers } from '../../activities/unrecorded-answers';
import { compose, type Composition } from '../../src/compose';
import type { Config } from '../../src/config';
import type { Attempt, StoredAnswer } from '../../src/deliveries/attempt-store';
import type { AttemptInput, DeliveryRef } from '../../src/domain/delivery-contract';
import type { DeliveryStart } from '../../src/dispatch/start-delivery';
import { createEndpoint } from '../../src/endpoints/create-endpoint';
import { createEndpointCache } from '../../src/endpoints/endpoint-cache';
import type { OptionsBody } from '../../src/endpoints/options-schema';
import { createEventIds } from '../../src/events/event-ids';
import { ingestEvent, type IngestDeps, type IngestResult } from '../../src/events/ingest-event';
import type { Destination, StoredEvent } from '../../src/events/store';
import { systemClock } from '../../src/platform/clock';
import { createLogger } from '../../src/platform/logger';
import { createMongo, type Mongo } from '../../src/platform/mongo';
import { createTemporalLink, type TemporalLink } from '../../src/platform/temporal';
import { startWorker } from '../../src/worker';
import { buildAccount, buildConfig } from './build-stack';
import { useFixture } from './fixture';
import { quietTemporal } from './quiet-temporal';

/** A promise that was made, and the starts that its API process would have made next. */
export interface Promised extends IngestResult {
  readonly starts: readonly DeliveryStart[];
  /** The first destination's first run. */
  readonly ref: DeliveryRef;
}

/** The product's parts on a real database and a Temporal namespace, with nothing running by itself. */
export interface DataPath {
  readonly config: Config;
  readonly mongo: Mongo;
  readonly temporal: TemporalLink;
  readonly parts: Composition;
  readonly accountId: string;
  /** Makes the activities of one more worker process, without Temporal. */
  executor(deps?: Partial<ActivityDeps>): ReturnType<typeof createActivities>;
  /** Runs one more real worker, without a sweeper, until the data path is closed. */
  worker(deps?: Partial<ActivityDeps>): Promise<void>;
  /** Registers a destination for the events of `type`. */
  endpoint(url: string, type?: string, options?: OptionsBody): Promise<string>;
  /** Promises an event; nothing is started. */
  promise(
    type?: string,
    options?: { idempotencyKey?: string; data?: string; deps?: Partial<IngestDeps> },
  ): Promise<Promised>;
  /** Promises an event and starts its deliveries. */
  send(type?: string): Promise<Promised>;
  event(id: number): Promise<StoredEvent>;
  destination(ref: Omit<DeliveryRef, 'run'>): Promise<Destination>;
  history(eventId: number): Promise<(Attempt & { answer: StoredAnswer })[]>;
  close(): Promise<void>;
}

/** @param options `of` shares another data path's database, in a Temporal namespace of its own: a wiped Temporal */
export async function buildDataPath(options: { env?: Record<string, string>; of?: DataPath } = {}): Promise<DataPath> {
  quietTemporal();
  const { of } = options;
  const shared = of && { MONGODB_URI: of.config.mongodb.uri!, ENCRYPTION_KEY: of.config.encryptionKeys.join(',') };
  const config = await buildConfig({ ...shared, ...options.env });
  const logger = createLogger(config.logLevel);
  const mongo = createMongo(config.mongodb.uri!);
  const temporal = createTemporalLink({ ...config.temporal, address: config.temporal.address! }, logger);
  const parts = compose({ config, logger, mongo, temporal }, false);
  await Promise.all([parts.ensureIndexes(), temporal.connected()]);
  const accountId = of?.accountId ?? (await buildAccount(config, mongo)).accountId;
  const opened: (() => Promise<void>)[] = [];

  const attemptDeps = (deps: Partial<ActivityDeps>): ActivityDeps => {
    const attempt = parts.attempt(randomUUID());
    const unrecorded = createUnrecordedAnswers(logger);
    opened.push(
      () => attempt.sender.close(),
      () => unrecorded.close(),
    );
    return { ...attempt, cap: createDestinationCap(64), unrecorded, heartbeat: () => undefined, ...deps };
  };
  const starts: DeliveryStart[] = [];
  const ingestDeps: IngestDeps = {
    events: parts.stores.events,
    eventIds: createEventIds(parts.stores.events),
    idempotency: parts.stores.idempotency,
    endpointCache: createEndpointCache(parts.stores.endpoints),
    startSoon: (start) => void starts.push(start),
  };
  const promise: DataPath['promise'] = async (type = 'order.created', { idempotencyKey, data, deps } = {}) => {
    const account = await parts.stores.accounts.find(accountId);
    const caller = { accountId, endpointsVersion: account!.endpoints_version, now: await parts.stores.dispatch.now() };
    const input = { type, data: Buffer.from(data ?? '{"n":1.0}'), idempotencyKey: idempotencyKey ?? null };
    const result = await ingestEvent({ ...ingestDeps, ...deps }, caller, input);
    const own = starts.filter(({ ref }) => ref.eventId === result.id);
    return { ...result, starts: own, ref: own[0]?.ref ?? { eventId: result.id, endpointId: '', run: 1 } };
  };

  return {
    config,
    mongo,
    temporal,
    parts,
    accountId,
    executor: (deps = {}) => createActivities(attemptDeps(deps)),
    async worker(deps = {}) {
      const { cap: _cap, heartbeat: _heartbeat, unrecorded: _unrecorded, ...attempt } = attemptDeps(deps);
      const worker = startWorker({ temporal, attempt, logger });
      opened.unshift(() => worker.close());
      await worker.ready();
    },
    async endpoint(url, type = '*', endpointOptions) {
      const { endpoints, accounts } = parts.stores;
      const secret = (): string => 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0';
      const deps = { endpoints, accounts, secretBox: parts.secretBox, checkUrl: String, generateSecret: secret };
      const body = { url, events: [type], description: '', ...(endpointOptions && { options: endpointOptions }) };
      return (await createEndpoint(deps, { accountId, now: new Date(systemClock()) }, body)).endpoint._id;
    },
    promise,
    async send(type) {
      const promised = await promise(type);
      for (const start of promised.starts) await parts.starter.start(start);
      return promised;
    },
    event: async (id) => (await parts.stores.events.find(id))!,
    async destination({ eventId, endpointId }) {
      const event = await parts.stores.events.find(eventId);
      return event!.destinations.find(({ endpoint_id }) => endpoint_id === endpointId)!;
    },
    history: (eventId) => parts.stores.deliveries.listAttempts(eventId),
    async close() {
      for (const close of opened) await close();
      parts.slowEndpoints.close();
      await temporal.close();
      if (!of) await mongo.db.dropDatabase();
      await mongo.close();
    },
  };
}

/** Gives the tests of a file one data path. */
export function useDataPath(options: Parameters<typeof buildDataPath>[0] = {}): DataPath {
  return useFixture(
    'file',
    () => buildDataPath(options),
    (path) => path.close(),
  );
}

/** One attempt of a delivery, as the workflow asks for it. */
export function buildAttempt(ref: DeliveryRef, attempt: Partial<AttemptInput> = {}): AttemptInput {
  return { ...ref, number: 1, nextDelayMs: 60_000, trigger: 'scheduled', ...attempt };
}

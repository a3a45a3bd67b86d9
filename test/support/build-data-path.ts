import { randomBytes, randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import type { Collection } from 'mongodb';
import { createActivities } from '../../activities';
import { createAttempts, type AttemptDeps, type Attempts } from '../../src/engine/attempt';
import { compose, type Composition } from '../../src/wiring/compose';
import type { Config } from '../../src/config';
import type { AnsweredAttempt, Attempt } from '../../src/stores/attempt-store';
import {
  deliveryWorkflowId,
  type AttemptInput,
  type AttemptOutcome,
  type DeliveryActivities,
  type DeliveryRef,
} from '../../src/domain/delivery-contract';
import type { DeliveryState } from '../../src/domain/delivery-state';
import { mergeTiers } from '../../src/domain/tiers';
import { startOf, type StartTask } from '../../src/engine/task';
import { SWEEPER_TIMING, sweepOnce, type SweeperTiming } from '../../src/engine/sweeper';
import { createEndpoint } from '../../src/endpoints/create-endpoint';
import { createEndpointCache } from '../../src/endpoints/endpoint-cache';
import type { OptionsBody } from '../../src/endpoints/options-schema';
import type { Endpoint } from '../../src/stores/endpoint-store';
import { UNCHECKED } from '../../src/event-types/check-events';
import { createEventIds } from '../../src/events/event-ids';
import { ingestEvent, type IngestDeps, type IngestResult } from '../../src/events/ingest-event';
import { openAttempts } from '../../src/stores/sealed-answer-store';
import type { Destination, StoredEvent } from '../../src/stores/event-store';
import { UNCOUNTED } from '../../src/limits/delivery-budget';
import { UNCOUNTED_FILTERS } from '../../src/limits/filter-budget';
import { UNLIMITED_STORAGE } from '../../src/limits/storage-budget';
import { systemClock } from '../../src/platform/clock';
import { createLogger, type Logger } from '../../src/platform/logger';
import { createMongo, type Mongo } from '../../src/platform/mongo';
import { createTemporalLink, isWorkflowNotFound, type TemporalLink } from '../../src/platform/temporal';
import { startWorker, type DeliveryWorker } from '../../src/worker';
import { BY_COMMAND_LINE } from '../../src/domain/audit-actions';
import type { Receiver } from './build-receiver';
import { buildAccount, buildConfig } from './build-stack';
import { eventually } from './eventually';
import { useFixture } from './fixture';
import { openerOf } from './open-payloads';
import { quietTemporal } from './quiet-temporal';

/** A stored event, and the starts that its API process would make next. */
export interface Promised extends IngestResult {
  readonly starts: readonly StartTask[];
  /** The first destination's first run. */
  readonly ref: DeliveryRef;
}

/** An event stored for an endpoint that subscribes to a type of its own. */
export interface OwnPromise extends Promised {
  readonly type: string;
  readonly endpointId: string;
}

/** The product's parts on a real database and a Temporal namespace, with no background work. */
export interface DataPath {
  readonly config: Config;
  readonly mongo: Mongo;
  readonly temporal: TemporalLink;
  readonly parts: Composition;
  readonly accountId: string;
  /** The stored events, for tests that change them: time that passes, or the state after a crash. */
  readonly events: Collection<StoredEvent>;
  readonly attempts: Collection<Attempt>;
  readonly endpoints: Collection<Endpoint>;
  /** Makes the activities of one more worker process, without Temporal. */
  executor(deps?: Partial<AttemptDeps>): DeliveryActivities & Pick<Attempts, 'make' | 'close'>;
  /** Runs one more real worker, without a sweeper, until the data path is closed or it is. */
  worker(deps?: Partial<AttemptDeps>, options?: WorkerSetUp): Promise<DeliveryWorker>;
  /** Registers a destination for the events of `type`. */
  endpoint(url: string, type?: string, options?: OptionsBody): Promise<string>;
  /** Stores an event; nothing is started. */
  promise(
    type?: string,
    options?: { idempotencyKey?: string; data?: string; deps?: Partial<IngestDeps> },
  ): Promise<Promised>;
  /** Stores an event and starts its deliveries, except those that their endpoint's gate holds. */
  send(type?: string): Promise<Promised>;
  /** Registers a new endpoint and stores an event for it. */
  promiseTo(url: string, options?: OptionsBody): Promise<OwnPromise>;
  /** Registers a new endpoint and sends it an event. */
  sendTo(url: string, options?: OptionsBody): Promise<OwnPromise>;
  /** Stores an event, and makes the first attempt to deliver it in a new worker. */
  attempt(type: string, attempt?: Partial<AttemptInput>): Promise<AttemptOutcome>;
  event(id: number): Promise<StoredEvent>;
  destination(ref: Place): Promise<Destination>;
  history(eventId: number): Promise<AnsweredAttempt[]>;
  /** The execution of a delivery. */
  handleOf(ref: DeliveryRef): WorkflowHandle;
  /** Waits until the record says that a delivery is in this state. */
  untilState(ref: Place, state: DeliveryState): Promise<Destination>;
  /** Waits until the record counts this many attempts of a delivery. */
  untilAttempts(ref: Place, count: number): Promise<Destination>;
  /** Waits until the record says that a delivery waits for its endpoint's gate. */
  untilHeld(ref: Place): Promise<Destination>;
  /** Sweeps and looks at the gate of its endpoint until a delivery is in this state. */
  lookUntil(ref: Place, state: DeliveryState): Promise<Destination>;
  /** Deletes an execution, and waits until Temporal no longer has it: as if its store had lost it. */
  loseExecution(execution: WorkflowHandle): Promise<void>;
  /** Makes one pass of the sweeper, without a grace period. @returns how many overdue deliveries it checked */
  sweep(timing?: Partial<SweeperTiming>, deps?: Partial<SweeperDeps>): Promise<number | null>;
  /** Sweeps until the record of a delivery is as expected; the clock of acceptance counts whole seconds. */
  sweepUntil(
    ref: Place,
    isRight: Partial<Destination>,
    timing?: Partial<SweeperTiming>,
    deps?: Partial<SweeperDeps>,
  ): Promise<Destination>;
  /** Deletes all events and endpoints, and what belongs to them. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** How a worker differs from others. */
interface WorkerSetUp {
  /** The workflows of another build. */
  readonly code?: Parameters<typeof startWorker>[1];
  readonly logger?: Logger;
}

type Place = Omit<DeliveryRef, 'run'>;
type SweeperDeps = Parameters<typeof sweepOnce>[0];

/** @param options `of` shares another data path's database, with a new Temporal namespace: a wiped Temporal */
export async function buildDataPath(options: { env?: Record<string, string>; of?: DataPath } = {}): Promise<DataPath> {
  quietTemporal();
  const { of } = options;
  const shared = of && { MONGODB_URI: of.config.mongodb.uri!, ENCRYPTION_KEY: of.config.encryptionKeys.join(',') };
  const config = await buildConfig({ ...shared, ...options.env });
  const logger = createLogger(config.logLevel);
  const mongo = createMongo(config.mongodb.uri!);
  const temporal = createTemporalLink({ ...config.temporal, address: config.temporal.address! }, logger);
  const parts = compose({ config, logger, mongo, temporal }, 'worker');
  await Promise.all([parts.ensureIndexes(), temporal.connected()]);
  const accountId = of?.accountId ?? (await buildAccount(config, mongo)).accountId;
  const workers: (() => Promise<void>)[] = [];
  const opened: (() => Promise<void>)[] = [];

  const attemptDeps = (deps: Partial<AttemptDeps>): AttemptDeps => {
    const own = parts.attemptDeps(randomUUID());
    opened.push(() => own.sender.close());
    return { ...own, ...deps };
  };
  const accepted: Parameters<IngestDeps['dispatcher']['accept']>[] = [];
  const ingestDeps: IngestDeps = {
    events: parts.stores.events,
    eventIds: createEventIds(parts.stores.events),
    idempotency: parts.stores.idempotency,
    retentionMs: config.retentionMs,
    endpointCache: createEndpointCache(parts.stores.endpoints),
    budget: UNCOUNTED,
    filterBudget: UNCOUNTED_FILTERS,
    storage: UNLIMITED_STORAGE,
    checkEvents: UNCHECKED,
    dispatcher: {
      // Without the claim of a process that makes first attempts itself: the test gets the delivery's start.
      placeFor(...about) {
        const { claimed_by: _by, claimed_until: _until, ...place } = parts.dispatcher.placeFor(...about);
        return place;
      },
      accept: (...how) => void accepted.push(how),
    },
  };
  const promise: DataPath['promise'] = async (type = 'order.created', { idempotencyKey, data, deps } = {}) => {
    const account = await parts.stores.accounts.find(accountId);
    const caller = {
      accountId,
      endpointsVersion: account!.endpoints_version,
      searchFields: account!.search_fields ?? [],
      defaultBody: account!.defaults?.body,
      eventTypes: account!.event_types,
      retentionDays: account!.retention_days,
      now: await parts.stores.dispatch.now(),
    };
    const input = { type, data: Buffer.from(data ?? '{"n":1.0}'), idempotencyKey: idempotencyKey ?? null };
    const result = await ingestEvent({ ...ingestDeps, ...deps }, caller, input);
    const own = accepted
      .filter(([{ event }]) => event._id === result.id)
      .map(([delivery, _endpoint, { now }]) => startOf(delivery, now));
    return { ...result, starts: own, ref: own[0]?.ref ?? { eventId: result.id, endpointId: '', run: 1 } };
  };

  const events: Collection<StoredEvent> = mongo.db.collection('events');
  const attempts: Collection<Attempt> = mongo.db.collection('attempts');
  const endpoints: Collection<Endpoint> = mongo.db.collection('endpoints');
  const executor: DataPath['executor'] = (deps = {}) => {
    const made = createAttempts(attemptDeps(deps));
    workers.push(made.close);
    return { ...createActivities({ attempts: made }), make: made.make, close: made.close };
  };
  const endpoint: DataPath['endpoint'] = async (url, type = '*', endpointOptions) => {
    const secret = (): string => 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0';
    const { secretBox, keyCheck } = parts;
    const deps = {
      ...parts.stores,
      secretBox,
      keyCheck,
      checkUrl: String,
      generateSecret: secret,
      tiers: mergeTiers([]),
    };
    const body = {
      url,
      events: [type],
      description: '',
      enabled: true,
      ...(endpointOptions && { options: endpointOptions }),
    };
    return (await createEndpoint(deps, { ...BY_COMMAND_LINE, accountId, now: new Date(systemClock()) }, body)).endpoint
      ._id;
  };
  const send: DataPath['send'] = async (type) => {
    const promised = await promise(type);
    const isStarted = (start: StartTask) =>
      parts.executions.start(start).then(
        () => true,
        () => false,
      );
    // A start that takes too long on a busy machine is repeated, as the sweeper does.
    for (const [delivery, to, accepting] of accepted.filter(([{ event }]) => event._id === promised.id)) {
      if (delivery.destination.dispatch === 'held') parts.dispatcher.accept(delivery, to, accepting);
      else await eventually(() => isStarted(startOf(delivery, accepting.now)), Boolean);
    }
    return promised;
  };
  const toItsOwn =
    (how: (type: string) => Promise<Promised>): DataPath['sendTo'] =>
    async (url, endpointOptions) => {
      const type = ownType();
      const endpointId = await endpoint(url, type, endpointOptions);
      return { ...(await how(type)), type, endpointId };
    };
  const destination: DataPath['destination'] = async ({ eventId, endpointId }) =>
    (await parts.stores.events.find(eventId))!.destinations.find(({ endpoint_id: id }) => id === endpointId)!;

  const sweep: DataPath['sweep'] = (timing, deps) => {
    const dispatch = (delivery: StartTask): boolean => {
      parts.executions.start(delivery).catch(() => undefined);
      return true;
    };
    const all = {
      ...parts.stores,
      ...parts,
      dispatcher: { dispatch },
      indexesReady: Promise.resolve(),
      needsTemporal: true,
      temporal,
      logger,
      owner: 'sweeper',
      ...deps,
    };
    return sweepOnce(all, { ...SWEEPER_TIMING, startGraceMs: 0, overdueMs: 0, ...timing });
  };

  return {
    config,
    mongo,
    temporal,
    parts,
    accountId,
    events,
    attempts,
    endpoints,
    executor,
    async worker(deps = {}, { code, logger: ownLogger = logger } = {}) {
      const own = { attempts: createAttempts(attemptDeps(deps)), logger: ownLogger, eager: false };
      const worker = startWorker({ ...parts.stores, temporal, ...own }, code);
      workers.push(() => worker.close());
      await worker.ready();
      return worker;
    },
    endpoint,
    promise,
    send,
    promiseTo: toItsOwn(promise),
    sendTo: toItsOwn(send),
    attempt: async (type, attempt) => executor().attemptDelivery(buildAttempt((await promise(type)).ref, attempt)),
    event: async (id) => (await parts.stores.events.find(id))!,
    destination,
    history: async (eventId) =>
      openAttempts<AnsweredAttempt>(
        openerOf(config, mongo),
        (await parts.stores.events.find(eventId))?.account_id ?? accountId,
        await attempts
          .find({ event_id: eventId, answer: { $exists: true } })
          .sort({ run: 1, number: 1 })
          .toArray(),
      ),
    handleOf: (ref) => temporal.client()!.workflow.getHandle(deliveryWorkflowId(ref)),
    untilState: (ref, state) =>
      eventually(
        () => destination(ref),
        (it) => it.state === state,
      ),
    untilAttempts: (ref, count) =>
      eventually(
        () => destination(ref),
        ({ attempt_count: made }) => made === count,
      ),
    untilHeld: (ref) =>
      eventually(
        () => destination(ref),
        ({ dispatch }) => dispatch === 'held',
      ),
    lookUntil: (ref, state) =>
      eventually(
        async () => {
          parts.gate.look(ref.endpointId);
          // The execution that gave the delivery back may not have ended when the gate let it go: then the sweeper starts
          // the next one.
          await sweep(SWEEPER_TIMING, { dispatcher: parts.dispatcher });
          return destination(ref);
        },
        (it) => it.state === state,
      ),
    async loseExecution(execution) {
      const { workflowId } = execution;
      const { namespace } = temporal;
      await temporal
        .client()!
        .workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } });
      const isGone = (): Promise<boolean> => execution.describe().then(() => false, isWorkflowNotFound);
      await eventually(isGone, Boolean);
    },
    sweep,
    sweepUntil: (ref, isRight, ...how) =>
      eventually(
        async () => {
          await sweep(...how);
          return destination(ref);
        },
        (it) => Object.entries(isRight).every(([name, value]) => it[name as 'state'] === value),
      ),
    async clear() {
      const names = ['events', 'attempts', 'endpoints', 'gates', 'leases'];
      await Promise.all(names.map((name) => mongo.db.collection(name).deleteMany({})));
      await parts.stores.accounts.bumpEndpointsVersion(accountId);
    },
    async close() {
      await Promise.all(workers.map((close) => close()));
      await Promise.all(opened.map((close) => close()));
      await parts.gate.close();
      await parts.dispatcher.close();
      await parts.attempts.close();
      await parts.answerLog.close();
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

/** One attempt of a delivery, as the workflow requests it. */
export function buildAttempt(ref: DeliveryRef, attempt: Partial<AttemptInput> = {}): AttemptInput {
  return { ...ref, number: 1, nextDelayMs: 60_000, trigger: 'scheduled', ...attempt };
}

/** A type of events that no other endpoint subscribes to. */
export function ownType(): string {
  return `own.t${randomBytes(6).toString('hex')}`;
}

/** Makes a receiver delay its first `count` answers. @returns a function that releases them */
export function holdAnswers(receiver: Pick<Receiver, 'answerWith'>, status = 200, count = Infinity): () => void {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  receiver.answerWith((_request, number) => (number <= count ? released.then(() => status) : 200));
  return release;
}

/** The ids of the events that a receiver got, in the order of arrival. */
export function receivedIds({ requests }: Pick<Receiver, 'requests'>): number[] {
  return requests.map(({ headers }) => Number(headers['x-webhook-id']));
}

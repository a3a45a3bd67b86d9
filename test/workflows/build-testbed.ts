import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import {
  DELIVERY_TASK_QUEUE,
  DELIVERY_WORKFLOW,
  deliveryWorkflowId,
  SLOW_TASK_QUEUE,
  type AttemptAnswer,
  type AttemptInput,
  type AttemptOutcome,
  type DeliverEventInput,
  type DeliverEventResult,
  type DeliveryActivities,
} from '../../src/domain/delivery-contract';
import { DEFAULT_RETRY_SCHEDULE, parseRetrySchedule } from '../../src/domain/retry-schedule';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';
import { createTimeSkipping, runWorkers } from './time-skipping-worker';

/** A call of an activity, and when it was, by the time-skipping server's clock. */
export interface ActivityCall {
  readonly activity: keyof DeliveryActivities;
  readonly atMs: number;
  /** Of `attemptDelivery`. */
  readonly input?: AttemptInput;
}

/**
 * How the world answers: called for each attempt, with the number of calls before this one.
 * Whatever it throws is an infrastructure failure.
 */
export type World = Partial<{
  attemptDelivery(input: AttemptInput, earlier: number): AttemptOutcome | Promise<AttemptOutcome>;
  recordCancelled(): void;
}>;

export type DeliveryHandle = WorkflowHandleWithFirstExecutionRunId<
  (input: DeliverEventInput) => Promise<DeliverEventResult>
>;

/** One delivery on the testbed. */
export interface TestDelivery {
  readonly handle: DeliveryHandle;
  readonly calls: ActivityCall[];
  /** The attempts that were made, and when, in milliseconds since the first. */
  attempts(): { number: number; atMs: number }[];
}

/** A Temporal server with the product's workflow and activities that play the world. */
export interface Testbed {
  readonly environment: TestWorkflowEnvironment;
  start(world: World, input?: Partial<DeliverEventInput>): Promise<TestDelivery>;
  close(): Promise<void>;
}

export const DEFAULT_SCHEDULE = parseRetrySchedule(DEFAULT_RETRY_SCHEDULE);

/** A testbed on Temporal's time-skipping server. */
async function buildTestbed(): Promise<Testbed> {
  const environment = await createTimeSkipping();
  const worlds = new Map<number, { world: World; calls: ActivityCall[] }>();
  const activities = playActivities(worlds, () => environment.currentTimeMs());
  const workers = await runWorkers(environment, [DELIVERY_TASK_QUEUE, SLOW_TASK_QUEUE], activities);
  let lastEventId = 0;

  return {
    environment,
    async start(world, input = {}) {
      const eventId = (lastEventId += 1);
      const calls: ActivityCall[] = [];
      worlds.set(eventId, { world, calls });
      const args: [DeliverEventInput] = [buildInput({ eventId, ...input })];
      const workflowId = deliveryWorkflowId(args[0]);
      const handle = await environment.client.workflow.start<(input: DeliverEventInput) => Promise<DeliverEventResult>>(
        DELIVERY_WORKFLOW,
        { taskQueue: DELIVERY_TASK_QUEUE, workflowId, args },
      );
      return { handle, calls, attempts: () => attemptsOf(calls) };
    },
    close: () => workers.close(),
  };
}

/** The workflow's input for the default schedule. */
function buildInput(input: Partial<DeliverEventInput>): DeliverEventInput {
  return {
    eventId: 1,
    endpointId: 'ep_test',
    run: 1,
    schedule: DEFAULT_SCHEDULE,
    firstAttempt: 1,
    firstDelayMs: 0,
    ...input,
  };
}

/** A receiver's answer. */
export function buildAnswer(number: number, statusCode: number, answer: Partial<AttemptAnswer> = {}): AttemptAnswer {
  const succeeded = statusCode >= 200 && statusCode <= 299;
  return {
    kind: 'answered',
    number,
    succeeded,
    startedAtMs: 1_767_225_600_000,
    latencyMs: 12,
    statusCode,
    errorCode: succeeded ? null : 'http_status',
    ...answer,
  };
}

function playActivities(
  worlds: ReadonlyMap<number, { world: World; calls: ActivityCall[] }>,
  now: () => Promise<number>,
): DeliveryActivities {
  const enter = async (eventId: number, activity: keyof DeliveryActivities, rest: Partial<ActivityCall> = {}) => {
    const { world, calls } = worlds.get(eventId)!;
    const earlier = calls.filter((call) => call.activity === activity).length;
    calls.push({ activity, atMs: await now(), ...rest });
    return { world, earlier };
  };
  return {
    async attemptDelivery(input) {
      const { world, earlier } = await enter(input.eventId, 'attemptDelivery', { input });
      return (await world.attemptDelivery?.(input, earlier)) ?? buildAnswer(input.number, 503);
    },
    async recordCancelled({ eventId }) {
      const { world } = await enter(eventId, 'recordCancelled');
      world.recordCancelled?.();
    },
  };
}

function attemptsOf(calls: readonly ActivityCall[]): { number: number; atMs: number }[] {
  const made = calls.filter(({ activity }) => activity === 'attemptDelivery');
  const startMs = made[0]?.atMs ?? 0;
  return made.map(({ input, atMs }) => ({ number: input!.number, atMs: atMs - startMs }));
}

async function historyOf({ handle }: TestDelivery): Promise<temporal.api.history.v1.IHistoryEvent[]> {
  return (await handle.fetchHistory()).events ?? [];
}

/** The timers that the workflow requested from Temporal, in milliseconds. */
export async function timersOf(delivery: TestDelivery): Promise<number[]> {
  return (await historyOf(delivery))
    .map(({ timerStartedEventAttributes: timer }) => timer?.startToFireTimeout)
    .filter((timeout) => !!timeout)
    .map(({ seconds, nanos }) => Number(seconds ?? 0) * 1_000 + (nanos ?? 0) / 1e6);
}

export async function untilTimers(delivery: TestDelivery, count: number): Promise<void> {
  await eventually(
    () => timersOf(delivery),
    (timers) => timers.length >= count,
  );
}

/** The attempts that were normal activities, as they were scheduled: those that were not inline. */
export async function scheduledOf(delivery: TestDelivery) {
  return (await historyOf(delivery)).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) => scheduled ?? []);
}

/** Gives the tests of a file one testbed. */
export function useTestbed(): Testbed {
  return useFixture('file', buildTestbed, (testbed) => testbed.close());
}

import type { AttemptAnswer } from '../../src/domain/delivery-contract';
import { createExecutions } from '../../src/engine/executions';
import { createLogger } from '../../src/platform/logger';
import type { TemporalLink } from '../../src/platform/temporal';
import { buildStart } from '../support/build-start';

function build() {
  const marks: number[] = [];
  const inputs: unknown[] = [];
  const workflow = { start: async (_type: string, { args }: { args: unknown[] }) => void inputs.push(...args) };
  const call = (work: (client: unknown) => Promise<unknown>) => work({ workflow });
  const executions = createExecutions({
    temporal: { call } as Partial<TemporalLink> as TemporalLink,
    deliveries: {
      async markStarted({ eventId }) {
        marks.push(eventId);
        throw new Error('MongoDB is away');
      },
      takeStart: () => Promise.resolve(true),
      cancel: () => Promise.resolve(true),
    },
    logger: createLogger('silent'),
    schedule: [0, 1_000],
    eager: true,
  });
  return { executions, marks, inputs };
}

const LAST: AttemptAnswer = {
  ...{ kind: 'answered', number: 1, succeeded: false, startedAtMs: 0, latencyMs: 20, statusCode: 500, errorCode: null },
};

it('an execution that Temporal has is started, also if MongoDB cannot record it', async () => {
  const { executions, marks } = build();
  expect(await executions.start(buildStart(1))).toBe(true);
  expect(marks).toEqual([1]);
});

it('an execution that continues gets the last answer', async () => {
  const { executions, inputs } = build();
  await executions.start(buildStart(1, { firstAttempt: 2, firstDelayMs: 1_000, last: LAST }));
  expect(inputs).toMatchObject([{ eventId: 1, firstAttempt: 2, firstDelayMs: 1_000, last: LAST }]);
});

it('an execution that only shows a finished delivery gets its answer, and is not recorded as started', async () => {
  const { executions, marks, inputs } = build();
  const { firstAttempt: _, firstDelayMs: _now, ...delivery } = buildStart(1);
  const last = { ...LAST, succeeded: true };
  await executions.show({ ...delivery, last });
  expect(inputs).toMatchObject([{ eventId: 1, firstAttempt: 2, firstDelayMs: 0, last }]);
  expect(marks).toEqual([]);
});

it('a wait that jitter made longer than the schedule and than any Retry-After is not taken for a clock that was set back', async () => {
  const { executions, inputs } = build();
  const dayMs = 86_400_000;
  const schedule = [0, 2 * dayMs];
  await executions.start(buildStart(1, { schedule, firstAttempt: 2, firstDelayMs: 2.9 * dayMs, last: LAST }));
  await executions.start(buildStart(1, { schedule, firstAttempt: 2, firstDelayMs: 3.1 * dayMs, last: LAST }));
  expect(inputs).toMatchObject([{ firstDelayMs: 2.9 * dayMs }, { firstDelayMs: 2 * dayMs }]);
});

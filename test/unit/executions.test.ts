import { createExecutions } from '../../src/dispatch/executions';
import { createLogger } from '../../src/platform/logger';
import type { TemporalLink } from '../../src/platform/temporal';
import { buildStart } from '../support/build-start';

function build(markStarted: () => Promise<void>) {
  const marks: number[] = [];
  const executions = createExecutions({
    temporal: { call: () => Promise.resolve() } as Partial<TemporalLink> as TemporalLink,
    deliveries: {
      markStarted: ({ eventId }) => {
        marks.push(eventId);
        return markStarted();
      },
      takeStart: () => Promise.resolve(true),
      cancel: () => Promise.resolve(true),
    },
    logger: createLogger('silent'),
    schedule: [0],
    eager: true,
  });
  return { executions, marks };
}

it('an execution that Temporal has is started, also if MongoDB cannot record it', async () => {
  const { executions, marks } = build(() => Promise.reject(new Error('MongoDB is away')));
  expect(await executions.start(buildStart(1))).toBe(true);
  expect(marks).toEqual([1]);
});

it.each([
  { who: 'makes the first attempt', makes: true, what: 'no start', recorded: [] },
  { who: 'leaves the first attempt to the execution', makes: false, what: 'the start', recorded: [1] },
])('a process that $who records $what', async ({ makes, recorded }) => {
  const { executions, marks } = build(() => Promise.resolve());
  await executions.start(buildStart(1, makes ? { stage: 'claimed' } : {}));
  expect(marks).toEqual(recorded);
});

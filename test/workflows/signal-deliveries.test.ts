import { randomBytes } from 'node:crypto';
import { SIGNAL_WORKFLOW, type SignalDeliveriesInput, type SignalPage } from '../../src/domain/signal-contract';
import { useTimeSkipping } from './time-skipping-worker';

const calls: SignalDeliveriesInput[] = [];
/** How the activity answers its nth call. */
let answer: (input: SignalDeliveriesInput, call: number) => SignalPage;

const TASK_QUEUE = 'signals';
const INPUT: SignalDeliveriesInput = {
  accountId: 'acc_test',
  endpointId: 'ep_test',
  signal: 'wake',
  cursor: null,
  signalled: 0,
};

const stage = useTimeSkipping([TASK_QUEUE], {
  signalPage: (input: SignalDeliveriesInput) => {
    calls.push(input);
    return Promise.resolve(answer(input, calls.length));
  },
});

beforeEach(() => {
  calls.length = 0;
});

function run(input: Partial<SignalDeliveriesInput> = {}): Promise<number> {
  return stage.environment.client.workflow.execute(SIGNAL_WORKFLOW, {
    taskQueue: TASK_QUEUE,
    workflowId: `signal/${randomBytes(6).toString('hex')}`,
    args: [{ ...INPUT, ...input }],
  });
}

it('goes from page to page until the last one, and counts', async () => {
  answer = (_input, call) => ({ cursor: call < 4 ? `page ${call}` : null, signalled: call });

  expect(await run()).toBe(1 + 2 + 3 + 4);
  expect(calls.map(({ cursor }) => cursor)).toEqual([null, 'page 1', 'page 2', 'page 3']);
});

it('an endpoint without deliveries is one look', async () => {
  answer = () => ({ cursor: null, signalled: 0 });

  expect(await run()).toBe(0);
  expect(calls).toHaveLength(1);
});

it('a page that fails is told again from its beginning, for as long as it takes', async () => {
  answer = (_input, call) => {
    if (call >= 2 && call <= 12) throw new Error('Temporal is away');
    return { cursor: call < 13 ? 'page 1' : null, signalled: 10 };
  };

  expect(await run()).toBe(20);
  expect(calls.slice(1).map(({ cursor }) => cursor)).toEqual(Array.from({ length: 12 }, () => 'page 1'));
});

it('what an earlier run of the same job told is counted, and not told again', async () => {
  answer = () => ({ cursor: null, signalled: 5 });

  expect(await run({ cursor: 'page 7', signalled: 3_500 })).toBe(3_505);
  expect(calls).toEqual([{ ...INPUT, cursor: 'page 7', signalled: 3_500 }]);
});

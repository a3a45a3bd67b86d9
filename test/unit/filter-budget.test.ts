import { createFilterBudget, type FilterCost } from '../../src/limits/filter-budget';

/** What one event, and each call of the minute, may cost, as docs/filters.md says. */
const EVENT = 131_072;
const PER_CALL_OF_MINUTE = 16_384;

const ACCOUNT = 'acc_1';
const costing = (work: number): FilterCost => ({ work, comparisons: 1, listed: work });
const many = (count: number, work: number): FilterCost[] => Array.from({ length: count }, () => costing(work));

/** @param calls how many calls a minute the tier of the account allows */
function build(calls = 3_000) {
  let now = 1_795_262_400_000;
  const budget = createFilterBudget({ clock: () => now, callsPerMinute: () => calls });
  return {
    codes: (events: readonly FilterCost[], account = ACCOUNT) =>
      budget.take(account, events).refusals.map((error) => error?.code),
    budget,
    pass: (ms: number) => void (now += ms),
  };
}

it('the events that an account has under way share one budget, and those beyond it are to be sent again', () => {
  const { codes, budget } = build();
  const { refusals, end } = budget.take(ACCOUNT, many(9, EVENT));
  expect(refusals.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => undefined));
  expect(refusals[8]).toMatchObject({ code: 'filter_budget_exceeded', retryAfterSeconds: 1 });
  expect(codes([costing(1)])).toEqual(['filter_budget_exceeded']);
  expect(codes([costing(1)], 'acc_2')).toEqual([undefined]);
  end();
  expect(codes([costing(1)])).toEqual([undefined]);
});

it('an event that never fits is refused permanently, and does not count', () => {
  const { codes } = build();
  expect(codes([costing(EVENT + 1), ...many(8, EVENT)])).toEqual([
    'filters_too_costly',
    ...Array.from({ length: 8 }, () => undefined),
  ]);
});

it('after the first event that does not fit, only events without filters are admitted', () => {
  const [last, cheap, free] = build()
    .codes([...many(9, EVENT), costing(1), costing(0)])
    .slice(-3);
  expect([last, cheap, free]).toEqual(['filter_budget_exceeded', 'filter_budget_exceeded', undefined]);
});

it("an account's minute has work for the calls of its tier, and the next minute has it again", () => {
  const { codes, budget, pass } = build(10);
  expect(codes([costing(EVENT), costing(10 * PER_CALL_OF_MINUTE - EVENT)])).toEqual([undefined, undefined]);
  pass(18_000);
  expect(budget.take(ACCOUNT, [costing(1)]).refusals).toEqual([
    expect.objectContaining({ code: 'filter_budget_exceeded', retryAfterSeconds: 42 }),
  ]);
  expect(codes([costing(1)], 'acc_2')).toEqual([undefined]);
  pass(42_000);
  expect(codes([costing(1)])).toEqual([undefined]);
});

it('the smallest tier may have one event of every cost that is allowed at all', () => {
  expect(build(1).codes([costing(EVENT)])).toEqual([undefined]);
});

it('costly comparisons of several calls rest between each other, and cheap ones do not wait for them', async () => {
  const { budget } = build();
  const order: string[] = [];
  const busy = (name: string) => () => {
    const until = performance.now() + 20;
    while (performance.now() < until);
    order.push(name);
  };
  const costly = [budget.run(EVENT, busy('first')), budget.run(EVENT, busy('second'))];
  await costly[0];
  await budget.run(10, () => order.push('cheap'));
  await Promise.all(costly);
  expect(order).toEqual(['first', 'cheap', 'second']);
});

it('a call whose client has left does not compare when its turn comes', async () => {
  const { budget } = build();
  const client = new AbortController();
  const first = budget.run(EVENT, () => client.abort(new Error('gone')));
  let compared = false;
  const second = budget.run(EVENT, () => (compared = true), client.signal);
  await first;
  await expect(second).rejects.toThrow('gone');
  expect(compared).toBe(false);
});

import { createReceiverBudget } from '../../src/engine/receiver-budget';
import { DEFAULT_TIERS, type Tier } from '../../src/domain/tiers';

const MOST = 3;
const MINUTE = 60_000;
const URL = 'https://victim.example/hook';

function build() {
  let now = 0;
  const [free] = DEFAULT_TIERS as [Tier];
  const of = async (accountId: string): Promise<Tier> => ({
    ...free,
    attemptsPerReceiver: accountId.startsWith('paying') ? null : MOST,
  });
  const budget = createReceiverBudget({ of }, { now: () => now });
  const take = async (count: number, url = URL, account = 'stranger') => {
    let taken = 0;
    for (let index = 0; index < count; index += 1) taken += (await budget.take(account, url)) ? 1 : 0;
    return taken;
  };
  return { budget, take, pass: (ms: number) => void (now += ms) };
}

it('a receiver gets as many attempts in a minute as the tier says, over all accounts, paths and spellings', async () => {
  const { take, pass, budget } = build();
  expect(await take(1, URL, 'one')).toBe(1);
  expect(await take(1, 'https://VICTIM.example:443/other?q=1', 'two')).toBe(1);
  expect(await take(5, 'https://victim.example./hook', 'three')).toBe(1);
  expect(await take(5)).toBe(0);
  expect(budget.untilFreeMs(URL)).toBe(MINUTE);
  expect(await take(5, 'http://victim.example:443/hook')).toBe(0);
  expect(await take(1, 'http://victim.example/')).toBe(1);
  pass(MINUTE - 1);
  expect(await take(5)).toBe(0);
  pass(1);
  expect(await take(5)).toBe(MOST);
});

it('another port or host is another receiver', async () => {
  const { take } = build();
  expect(await take(5)).toBe(MOST);
  expect(await take(5, 'https://victim.example:8443/hook')).toBe(MOST);
  expect(await take(5, 'https://other.example/hook')).toBe(MOST);
});

it('accounts of tiers without such a limit are neither bounded nor do they use up what others have', async () => {
  const { take, budget } = build();
  expect(await take(1_000, URL, 'paying')).toBe(1_000);
  expect(await budget.reserve('paying', URL, 64)).toBe(64);
  expect(await take(5)).toBe(MOST);
  expect(await take(1_000, URL, 'paying')).toBe(1_000);
});

it('gates of many endpoints together release no more than the receiver may get', async () => {
  const { budget, take } = build();
  const granted = await Promise.all(['one', 'two', 'three'].map((account) => budget.reserve(account, URL, 2)));
  expect(granted).toEqual([2, 1, 0]);
  // What was released is sent, and nothing else.
  expect(await take(5)).toBe(MOST);
  expect(await budget.reserve('one', URL, 2)).toBe(0);
});

it('an unused place goes to others', async () => {
  const { budget, take, pass } = build();
  expect(await budget.reserve('one', URL, MOST)).toBe(MOST);
  expect(await budget.reserve('two', URL, 1)).toBe(0);
  expect(budget.untilFreeMs(URL)).toBe(2_000);
  pass(2_000);
  expect(await budget.reserve('two', URL, 1)).toBe(1);
  expect(await take(5)).toBe(MOST);
});

it('names the receivers that get the most attempts now, of all tiers', async () => {
  const { budget, take, pass } = build();
  await take(9, 'https://a.example/', 'paying');
  await take(2, 'https://b.example/');
  await take(7, 'https://c.example:8443/', 'paying');
  expect(budget.top(2)).toEqual([
    { receiver: 'a.example:443', attempts: 9 },
    { receiver: 'c.example:8443', attempts: 7 },
  ]);
  pass(MINUTE);
  expect(budget.top(2)).toEqual([]);
});

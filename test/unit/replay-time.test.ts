import { confirmationOf, isConfirmed, remainingMs } from '../../dashboard/src/replays/replay-time';
import type { Replay, ReplayPreview } from '../../dashboard/src/api/answers';

const preview = (matched: number, atLeast = false): ReplayPreview => ({
  matched,
  at_least: atLeast,
  endpoint_removed: 0,
  at_run_limit: 0,
  endpoint_failed: null,
});

it('asks for the number of many deliveries, and of any that were delivered', () => {
  expect(confirmationOf('failed', preview(1_000))).toBeUndefined();
  expect(confirmationOf('cancelled', preview(3))).toBeUndefined();
  expect(confirmationOf('failed', preview(1_001))?.word).toBe('1,001');
  expect(confirmationOf('delivered', preview(1))?.word).toBe('1');
  expect(confirmationOf('delivered', preview(0))).toBeUndefined();
});

it('starts an unknown number only for those who type all', () => {
  for (const unknown of [preview(0, true), preview(10_000, true), undefined]) {
    const confirmation = confirmationOf('failed', unknown);
    expect(confirmation?.word).toBe('all');
    expect([isConfirmed(confirmation, ''), isConfirmed(confirmation, '10,000')]).toEqual([false, false]);
    expect(isConfirmed(confirmation, ' All ')).toBe(true);
  }
});

it('takes the number with and without its commas', () => {
  const confirmation = confirmationOf('failed', preview(6_257));
  expect(['6257', '6,257', 'all'].map((text) => isConfirmed(confirmation, text))).toEqual([true, true, true]);
  expect(['', '625', '62570', 'yes'].map((text) => isConfirmed(confirmation, text))).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(isConfirmed(undefined, '')).toBe(true);
});

it('what is left of a replay follows its rate, or the pace that it had if that is slower', () => {
  const startedAt = Date.parse('2026-11-27T00:00:00Z');
  const replay = (fields: Partial<Replay>): Replay =>
    ({
      matched: 6_000,
      replayed: 0,
      skipped: 0,
      rate_per_second: 2,
      created_at: new Date(startedAt).toISOString(),
      changed_at: null,
      ...fields,
    }) as Replay;
  expect(remainingMs(replay({ matched: null }), startedAt)).toBeUndefined();
  expect(remainingMs(replay({}), startedAt + 1_000)).toBe(3_000_000);
  // 100 in 50 s is its rate; 100 in 200 s is a quarter of it.
  expect(remainingMs(replay({ replayed: 90, skipped: 10 }), startedAt + 50_000)).toBe(2_950_000);
  expect(remainingMs(replay({ replayed: 100 }), startedAt + 200_000)).toBe(11_800_000);
  // The pace before a change or a pause says nothing.
  const changed = { changed_at: new Date(startedAt + 199_000).toISOString() };
  expect(remainingMs(replay({ replayed: 100, ...changed }), startedAt + 200_000)).toBe(2_950_000);
  expect(remainingMs(replay({ replayed: 6_001 }), startedAt + 200_000)).toBe(0);
});

import { createOrdinaryLoad } from '../../src/engine/ordinary-load';

/** A load whose clock moves when the test says so. */
function build(perSecond: number) {
  let nowMs = 5_000;
  const load = createOrdinaryLoad(perSecond, { now: () => nowMs });
  return {
    pass: (ms: number) => void (nowMs += ms),
    /** @returns what is known after each delivery */
    note: (count: number) => Array.from({ length: count }, () => load.note()),
  };
}

it('as many deliveries as allowed in each second are ordinary', () => {
  const { note, pass } = build(3);
  for (let second = 0; second < 30; second += 1) {
    expect(note(3)).toEqual([true, true, true]);
    pass(1_000);
  }
});

it('one delivery more in a second is not ordinary, nor are those of the ten seconds that follow', () => {
  const { note, pass } = build(3);
  pass(999);
  expect(note(4)).toEqual([true, true, true, false]);
  pass(9_999);
  expect(note(1)).toEqual([false]);
  pass(1);
  expect(note(1)).toEqual([true]);
});

it('the ten seconds begin anew while there are too many', () => {
  const { note, pass } = build(1);
  note(2);
  pass(9_000);
  note(2);
  pass(9_999);
  expect(note(1)).toEqual([false]);
  pass(1);
  expect(note(1)).toEqual([true]);
});

it('no load is ordinary where none is allowed', () => {
  const { note, pass } = build(0);
  expect(note(1)).toEqual([false]);
  pass(60_000);
  expect(note(1)).toEqual([false]);
});

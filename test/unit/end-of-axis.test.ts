import { endOfAxis } from '../../dashboard/src/charts/end-of-axis';

it('a burst on one of thirty days leaves the others half of the height', () => {
  const days = Array.from({ length: 29 }, (_, n) => 80 + n);
  expect(endOfAxis([...days, 50_000])).toBe(2 * 108);
});

it('nothing is cut while the highest column is at most twice as high as nearly all others', () => {
  const days = Array.from({ length: 29 }, () => 100);
  expect(endOfAxis([...days, 200])).toBe(200);
});

it('nothing is cut of fewer than twenty columns, and empty ones do not count', () => {
  expect(endOfAxis([...Array<number>(700).fill(0), ...Array<number>(18).fill(1), 1_000])).toBe(1_000);
  expect(endOfAxis([0, 0])).toBe(0);
});

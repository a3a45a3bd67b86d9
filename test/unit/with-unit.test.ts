import { shareOf } from '../../dashboard/src/elements/with-unit';

it.each([
  [0, 0, '–'],
  [0, 7, '0.0 %'],
  [1, 100_000, '< 0.1 %'],
  [1, 1_000, '0.1 %'],
  [1, 3, '33.3 %'],
  [2, 3, '66.7 %'],
  [997, 1_000, '99.7 %'],
  [99_999, 100_000, '> 99.9 %'],
  [7, 7, '100.0 %'],
])('%d of %d is %s', (part, whole, words) => {
  expect(shareOf(part, whole).replaceAll('\u00a0', ' ')).toBe(words);
});

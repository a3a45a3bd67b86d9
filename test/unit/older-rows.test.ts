import fc from 'fast-check';
import { newsOf, withNewest, type RowPage } from '../../dashboard/src/live/new-rows-of';
import { endsEarlier, withFullPages } from '../../dashboard/src/live/older-rows';
import { timeOfCursor } from '../../src/domain/cursor-time';
import { encodeCursor } from '../../src/platform/cursor';

const cursorAt = (time: number): string => encodeCursor('deliveries', { createdAt: new Date(time), id: '1.2.' });
const idOf = (row: number): string => String(row);

it('a cursor tells its time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), fc.constantFrom('ep_1', '7.9.', 'é'), (time, id) => {
      expect(timeOfCursor(encodeCursor('events', { createdAt: new Date(time), id }))).toBe(time);
    }),
  );
  expect(timeOfCursor('*')).toBeUndefined();
  expect(timeOfCursor('')).toBeUndefined();
});

it('pages that came short are joined: no row is lost, and all but the last have their rows', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(sizes, (lengths) => {
      let row = 0;
      const pages = lengths.map((length, index): RowPage<number> => ({
        rows: Array.from({ length }, () => (row += 1)),
        next: index === lengths.length - 1 ? null : `after ${index}`,
      }));
      const shown = { pages, pageParams: [null, ...pages.slice(0, -1).map(({ next }) => next)] };
      const full = withFullPages(shown, 5);
      expect(full.pages.flatMap(({ rows }) => rows)).toEqual(pages.flatMap(({ rows }) => rows));
      expect(full.pages.slice(0, -1).every(({ rows }) => rows.length >= 5)).toBe(true);
      // Each page is still asked for by the cursor of the one before it.
      expect(full.pageParams).toEqual([null, ...full.pages.slice(0, -1).map(({ next }) => next)]);
      expect(full.pages.at(-1)!.next).toBeNull();
    }),
  );
});

it('a page that is read again goes on until it is as far as before', () => {
  const page = (rows: number[], time: number | null): RowPage<number> => ({
    rows,
    next: time === null ? null : cursorAt(time),
  });
  expect(endsEarlier(page([], 900), page([1], 300), 5)).toBe(true);
  expect(endsEarlier(page([], 900), page([1], null), 5)).toBe(true);
  expect(endsEarlier(page([], 300), page([1], 300), 5)).toBe(false);
  expect(endsEarlier(page([1, 2, 3, 4, 5], 900), page([1, 2, 3, 4, 5], 300), 5)).toBe(false);
  expect(endsEarlier(page([], null), page([], 300), 5)).toBe(false);
  expect(endsEarlier(page([], 900), undefined, 5)).toBe(false);
});

it('what changes meanwhile does not send a search back to its start', () => {
  const shown = { pages: [{ rows: [], next: cursorAt(300) }], pageParams: [null] };
  expect(withNewest<number>(shown, { rows: [], next: cursorAt(900) }, idOf)).toBe(shown);
  const found = { rows: [7], next: cursorAt(900) };
  expect(withNewest<number>(shown, found, idOf).pages).toEqual([found]);
  expect(withNewest<number>(shown, { rows: [], next: null }, idOf).pages).toEqual([{ rows: [], next: null }]);
});

it('a newest page without rows that is not the last says nothing about older rows', () => {
  expect(newsOf({ rows: [], next: cursorAt(900) }, [1, 2], idOf)).toEqual({ added: 0, isMore: false, gone: 0 });
  expect(newsOf({ rows: [], next: null }, [1, 2], idOf)).toEqual({ added: 0, isMore: false, gone: 2 });
});

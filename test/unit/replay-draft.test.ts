import {
  canReplayList,
  draftOfList,
  filterOfDraft,
  isTypeFilter,
  newDraft,
} from '../../dashboard/src/replays/replay-draft';
import { fromLocalField, toLocalField } from '../../dashboard/src/elements/local-time';

const AT = '2026-11-22T13:49:07.000Z';

it('a time survives the field that shows it in the zone of the reader', () => {
  expect(toLocalField(AT)).toMatch(/^2026-11-2[123]T\d\d:\d\d:07$/);
  expect(fromLocalField(toLocalField(AT))).toBe(AT);
});

it.each(['', 'soon'])('%j is no time', (text) => {
  expect(fromLocalField(text)).toBeUndefined();
});

it('a new draft asks for the deliveries that failed in the last day', () => {
  const { state, completed_after: since, ...others } = filterOfDraft(newDraft('ep_1'));

  expect([state, others]).toEqual(['failed', { endpoint_id: 'ep_1' }]);
  expect(Date.now() - Date.parse(since!)).toBeGreaterThanOrEqual(86_400_000);
});

it('the filter of a list is taken over, by the time of acceptance', () => {
  const list = { state: 'cancelled', endpoint_id: 'ep_1', type: 'order.*', after: AT };

  expect(filterOfDraft(draftOfList(list))).toEqual({ ...list });
  expect(filterOfDraft(draftOfList({}))).toEqual({ state: 'failed' });
});

it('a state that cannot be replayed becomes "failed", and a span until now its beginning', () => {
  const { state, after } = filterOfDraft(draftOfList({ state: 'open', last: '1h' }));

  expect(state).toBe('failed');
  expect(Date.now() - Date.parse(after!)).toBeGreaterThanOrEqual(3_600_000);
});

it('a list is replayed as a whole only if a replay can select exactly that', () => {
  const lists = [{ state: 'failed', type: 'a.*' }, { state: 'open' }, {}, { state: 'failed', replay_id: 'rpl_1' }];

  expect(lists.map(canReplayList)).toEqual([true, false, false, false]);
});

it('both ends of a range belong to the same time', () => {
  const range = { ...newDraft(), from: toLocalField(AT), to: toLocalField('2026-11-22T14:00:00Z') };

  expect(filterOfDraft(range)).toEqual({
    state: 'failed',
    completed_after: AT,
    completed_before: '2026-11-22T14:00:00.000Z',
  });
  expect(filterOfDraft({ ...range, timesOf: 'accepted', type: '*' })).toEqual({
    state: 'failed',
    after: AT,
    before: '2026-11-22T14:00:00.000Z',
  });
});

it('a text that is no pattern of types is told before it is sent', () => {
  expect(['', '*', 'order.*', 'order.created', 'no type', 'order.'].map(isTypeFilter)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
});

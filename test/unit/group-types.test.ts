import type { ListedType } from '../../dashboard/src/api/answers';
import { groupsOf, searchTypes } from '../../dashboard/src/event-types/group-types';

const AT = '2026-01-01T00:00:00.000Z';
const listed = (name: string, group: string | null, description: string | null = null): ListedType => ({
  ...{ name, group, description, deprecated: false, archived: false, version: 1, has_schema: false },
  ...{ created_at: AT, updated_at: AT },
});

const TYPES = [
  listed('cart.left', null),
  listed('order.created', 'Orders', 'An order was placed.'),
  listed('order.paid', 'Orders'),
  listed('user.added', 'Accounts', 'A colleague was invited.'),
];

it('types are listed by group, and those without a group come last', () => {
  expect(groupsOf(TYPES).map(({ group, types }) => [group, types.map(({ name }) => name)])).toEqual([
    ['Accounts', ['user.added']],
    ['Orders', ['order.created', 'order.paid']],
    [null, ['cart.left']],
  ]);
});

it('no types have no groups', () => {
  expect(groupsOf([])).toEqual([]);
});

it.each([
  ['ORDER', ['order.created', 'order.paid']],
  [' invited ', ['user.added']],
  ['accounts', ['user.added']],
  ['', TYPES.map(({ name }) => name)],
  ['nothing', []],
])('a search for "%s" reads name, group and description', (text, names) => {
  expect(searchTypes(TYPES, text).map(({ name }) => name)).toEqual(names);
});

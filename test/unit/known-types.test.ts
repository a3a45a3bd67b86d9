import { patternChoices, typeChoices } from '../../dashboard/src/event-types/known-types';

const AT = '2026-01-01T00:00:00.000Z';
const described = [
  { name: 'order.created', group: 'Orders' },
  { name: 'order.paid', group: 'Orders' },
  { name: 'ping', group: null },
].map((type) => ({
  ...{ ...type, description: null, deprecated: false, archived: false, version: 1, has_schema: false },
  ...{ created_at: AT, updated_at: AT },
}));

it('the catalog comes first, and a type that was seen too is suggested once', () => {
  expect(typeChoices(described, ['order.paid', 'cart.left'])).toEqual([
    { group: 'Orders', items: ['order.created', 'order.paid'] },
    { group: 'Other event types', items: ['ping'] },
    { group: 'Seen in the last 30 days', items: ['cart.left'] },
  ]);
});

it('a prefix is suggested when two types share it, wherever they are known from', () => {
  expect(patternChoices(described, ['cart.left']).filter((one) => typeof one === 'string')).toEqual(['*', 'order.*']);
  expect(patternChoices([], ['cart.left', 'cart.filled'])).toEqual([
    '*',
    'cart.*',
    { group: 'Seen in the last 30 days', items: ['cart.left', 'cart.filled'] },
  ]);
});

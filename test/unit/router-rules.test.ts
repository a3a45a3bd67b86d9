import { routesOf, type Route } from '../support/router-rules';

// What a router does with a command, by MongoDB's manual. `events` is sharded by its `_id`, `attempts` by `event_id`, both hashed;
// `accounts` is not sharded.

const KEYS = new Map([
  ['events', '_id'],
  ['attempts', 'event_id'],
]);

const update = (statement: object, collection = 'attempts') => ({ update: collection, updates: [statement] });
const remove = (statement: object) => ({ delete: 'attempts', deletes: [statement] });
const SET = { $set: { state: 'x' } };

const routeOf = (command: object): Route => routesOf(command, KEYS)[0]!.route;

it.each<[string, object, Route]>([
  ['an equality with the shard key', { find: 'events', filter: { _id: 1 } }, 'targeted'],
  [
    'an equality inside of $and',
    { find: 'events', filter: { $and: [{ type: 'x' }, { $and: [{ _id: 1 }] }] } },
    'targeted',
  ],
  ['a list of keys', { find: 'events', filter: { _id: { $in: [1, 2] } } }, 'targeted'],
  ['a range of a hashed key', { find: 'events', filter: { _id: { $gt: 1 } } }, 'gathered'],
  ['a branch of $or', { find: 'events', filter: { $or: [{ _id: 1 }, { type: 'x' }] } }, 'gathered'],
  ['another field', { find: 'events', filter: { account_id: 'a' }, sort: { accepted_at: -1 }, limit: 9 }, 'gathered'],
  ['a part of what matches', { find: 'events', filter: { account_id: 'a' }, limit: 9 }, 'gathered without an order'],
  ['_id beside another shard key', { find: 'attempts', filter: { _id: 'a' } }, 'gathered'],
  ['a count', { count: 'attempts', query: { event_id: 1 } }, 'targeted'],
  ['distinct values', { distinct: 'attempts', key: 'run', query: { endpoint_id: 'e' } }, 'gathered'],
  [
    'a pipeline that begins with the key',
    { aggregate: 'events', pipeline: [{ $match: { _id: 1 } }, { $limit: 1 }] },
    'targeted',
  ],
  [
    'a pipeline that has the key later',
    { aggregate: 'events', pipeline: [{ $limit: 1 }, { $match: { _id: 1 } }] },
    'gathered',
  ],
  ['a join', { aggregate: 'events', pipeline: [{ $match: { _id: 1 } }, { $lookup: { from: 'accounts' } }] }, 'refused'],
  ['a change stream', { aggregate: 'events', pipeline: [{ $changeStream: {} }] }, 'change stream'],
  ['any read of a collection that is not sharded', { find: 'accounts', filter: {} }, 'primary shard'],
])('a read by %s', (_, command, route) => {
  expect(routeOf(command)).toBe(route);
});

it.each<[string, object, Route]>([
  ['one, by the key', update({ q: { _id: 'a', event_id: 1 }, u: SET }), 'targeted'],
  ['one, by _id alone', update({ q: { _id: 'a' }, u: SET }), 'broadcast'],
  ['one, by another field', update({ q: { endpoint_id: 'e' }, u: SET }), 'refused'],
  ['one, by a list of keys', update({ q: { event_id: { $in: [1] } }, u: SET }), 'refused'],
  ['an upsert by the key', update({ q: { _id: 'a', event_id: 1 }, u: SET, upsert: true }), 'targeted'],
  ['an upsert by _id alone', update({ q: { _id: 'a' }, u: SET, upsert: true }), 'refused'],
  ['many, by the key', update({ q: { event_id: 1 }, u: SET, multi: true }), 'targeted'],
  ['many, by a list of keys', update({ q: { event_id: { $in: [1, 2] } }, u: SET, multi: true }), 'broadcast'],
  ['many, by another field', update({ q: { endpoint_id: 'e' }, u: SET, multi: true }), 'broadcast'],
  ['the key itself', update({ q: { event_id: 1 }, u: { $set: { event_id: 2 } } }), 'refused'],
  ['the key itself, in a pipeline', update({ q: { event_id: 1 }, u: [{ $set: { event_id: 2 } }] }), 'refused'],
  ['anything that is not sharded', update({ q: { type: 'x' }, u: SET, multi: true }, 'accounts'), 'primary shard'],
])('an update of %s', (_, command, route) => {
  expect(routeOf(command)).toBe(route);
});

it.each<[string, object, Route]>([
  ['findAndModify by the key', { findAndModify: 'attempts', query: { event_id: 1 }, update: SET }, 'targeted'],
  ['findAndModify by _id alone', { findAndModify: 'attempts', query: { _id: 'a' }, update: SET }, 'refused'],
  ['a removal of one by the key', remove({ q: { _id: 'a', event_id: 1 }, limit: 1 }), 'targeted'],
  ['a removal of one by _id alone', remove({ q: { _id: 'a' }, limit: 1 }), 'broadcast'],
  ['a removal of one by another field', remove({ q: { run: 1 }, limit: 1 }), 'refused'],
  ['a removal of many by the key', remove({ q: { event_id: 1 }, limit: 0 }), 'targeted'],
  ['a removal of many by a list of keys', remove({ q: { event_id: { $in: [1, 2] } }, limit: 0 }), 'broadcast'],
  ['an insert with the key', { insert: 'attempts', documents: [{ _id: 'a', event_id: 1 }] }, 'targeted'],
  ['an insert without the key', { insert: 'attempts', documents: [{ _id: 'a' }] }, 'refused'],
  ['a unique index', { createIndexes: 'events', indexes: [{ key: { slot: 1 }, unique: true }] }, 'refused'],
  ['another index', { createIndexes: 'events', indexes: [{ key: { slot: 1 } }] }, 'definition'],
  ['a commit', { commitTransaction: 1 }, 'session'],
])('%s', (_, command, route) => {
  expect(routeOf(command)).toBe(route);
});

it('each statement of a command has its own route, the shape of its filter, and the transaction', () => {
  const command = {
    update: 'attempts',
    updates: [
      { q: { event_id: 1, $and: [{ run: { $gt: 1 } }] }, u: SET },
      { q: { _id: 'a' }, u: SET },
    ],
    autocommit: false,
  };

  expect(routesOf(command, KEYS)).toEqual([
    {
      collection: 'attempts',
      operation: 'updateOne',
      shape: 'event_id =, run $gt',
      route: 'targeted',
      inTransaction: true,
    },
    { collection: 'attempts', operation: 'updateOne', shape: '_id =', route: 'broadcast', inTransaction: true },
  ]);
});

it('a command that no rule knows is an error', () => {
  expect(() => routesOf({ mapReduce: 'events' }, KEYS)).toThrow('mapReduce');
});

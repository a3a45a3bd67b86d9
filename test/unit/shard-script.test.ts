import { runShardScript, type FoundCluster } from '../support/shard-keys';

// deploy/mongodb/shard.js, with stand-ins of what mongosh gives it: the package registries have neither mongosh nor mongos.

const COLLECTIONS = [
  'events',
  'attempts',
  'idempotency_keys',
  'attempt_counts',
  'rates',
  'ordered_endpoints',
  'accounts',
];
const run = (found: Partial<FoundCluster> = {}) => runShardScript({ collections: COLLECTIONS, ...found });

it('shards the record, and makes the indexes first, because the collections may have documents', () => {
  const { sharded, indexes, exitCode } = run();

  expect(sharded).toEqual([
    { namespace: 'everpost.events', key: { _id: 'hashed' } },
    { namespace: 'everpost.attempts', key: { event_id: 'hashed' } },
    { namespace: 'everpost.idempotency_keys', key: { _id: 'hashed' } },
    { namespace: 'everpost.attempt_counts', key: { _id: 'hashed' } },
    { namespace: 'everpost.rates', key: { _id: 'hashed' } },
    { namespace: 'everpost.ordered_endpoints', key: { _id: 'hashed' } },
  ]);
  expect(indexes.map(({ collection, key }) => [`everpost.${collection}`, key])).toEqual(
    sharded.map(({ namespace, key }) => [namespace, key]),
  );
  expect(exitCode).toBe(0);
});

it('leaves alone what is sharded already, so that it can be repeated', () => {
  const known = [{ _id: 'everpost.events', key: { _id: 'hashed' } }];

  const { sharded, printed, exitCode } = run({ known });

  expect(sharded.map(({ namespace }) => namespace)).not.toContain('everpost.events');
  expect(sharded).toHaveLength(5);
  expect(printed[0]).toBe('events is sharded by {"_id":"hashed"} already.');
  expect(exitCode).toBe(0);
});

it('shards a collection that MongoDB lists only because it can be moved', () => {
  const known = [{ _id: 'everpost.events', key: { _id: 1 }, unsplittable: true }];
  expect(run({ known }).sharded).toHaveLength(6);
});

it.each<[string, Partial<FoundCluster>, string]>([
  ['a server that is no mongos', { msg: '' }, 'This is not a mongos. Nothing was changed.'],
  ['a database without the record', { collections: [] }, 'start Everpost on it first'],
  [
    'a unique index',
    { indexes: { attempts: [{ name: 'own', key: { run: 1 }, unique: true }] } },
    "attempts can't be sharded: its index own is unique.",
  ],
  [
    'another shard key',
    { known: [{ _id: 'everpost.events', key: { account_id: 1 } }] },
    'events can\'t be sharded: its shard key is {"account_id":1}.',
  ],
])('changes nothing if it finds %s', (_, found, message) => {
  const { sharded, indexes, printed, exitCode } = run(found);

  expect(printed.join('\n')).toContain(message);
  expect([sharded, indexes, exitCode]).toEqual([[], [], 1]);
});

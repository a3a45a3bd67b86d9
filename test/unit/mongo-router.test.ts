import { MongoClient } from 'mongodb';
import { anyOf, deletesOf, markRouted, noticeRouter, writesAlike } from '../../src/platform/mongo-router';

// A router sends an update of many documents to every shard, so behind one each document has an update of its own.

interface Row {
  readonly _id: number;
}

function rows(prepare?: (client: MongoClient) => void) {
  const client = new MongoClient('mongodb://127.0.0.1:1');
  prepare?.(client);
  return client.db('x').collection<Row>('rows');
}

const DELETED = [{ $set: { state: 'gone' } }];
const write = (ids: readonly number[]) => ({ filter: { _id: anyOf(ids) }, update: DELETED });
const same = (id: number): number => id;

/** What the driver says about servers of this type. */
const sees = (type: string) => (client: MongoClient) => {
  noticeRouter(client);
  client.emit('topologyDescriptionChanged', { newDescription: { servers: new Map([['a', { type }]]) } } as never);
};

it('documents of a replica set are changed by one update', () => {
  expect(writesAlike(rows(), [1, 2, 2], same, write)).toEqual([
    { updateMany: { filter: { _id: { $in: [1, 2] } }, update: DELETED } },
  ]);
  expect(deletesOf(rows(), '_id', [1, 2])).toEqual([{ deleteMany: { filter: { _id: { $in: [1, 2] } } } }]);
});

it('behind a router each document has its own update, by an equality', () => {
  expect(writesAlike(rows(markRouted), [1, 2, 2], same, write)).toEqual([
    { updateOne: { filter: { _id: 1 }, update: DELETED } },
    { updateOne: { filter: { _id: 2 }, update: DELETED } },
  ]);
  expect(deletesOf(rows(markRouted), '_id', [1, 2])).toEqual([
    { deleteMany: { filter: { _id: 1 } } },
    { deleteMany: { filter: { _id: 2 } } },
  ]);
});

it.each([
  ['Mongos', 'updateOne'],
  ['LoadBalancer', 'updateOne'],
  ['RSPrimary', 'updateMany'],
])('a client that sees a server of the type %s sends %s', (type, name) => {
  expect(Object.keys(writesAlike(rows(sees(type)), [1, 2], same, write)[0]!)).toEqual([name]);
});

it('no documents need no write', () => {
  for (const prepare of [undefined, markRouted]) {
    expect(writesAlike(rows(prepare), [], same, write)).toEqual([]);
    expect(deletesOf(rows(prepare), '_id', [])).toEqual([]);
  }
});

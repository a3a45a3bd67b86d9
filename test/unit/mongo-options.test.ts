import { createMongo } from '../../src/platform/mongo';

// The options are read from the string; nothing answers at the address.

it.each([
  [
    'no option',
    '',
    { serverSelectionTimeoutMS: 3_000, socketTimeoutMS: 20_000, maxPoolSize: 50, waitQueueTimeoutMS: 10_000 },
  ],
  ['one option', '?maxPoolSize=7', { serverSelectionTimeoutMS: 3_000, socketTimeoutMS: 20_000, maxPoolSize: 7 }],
  ['options in any case', '?maxpoolsize=7&sockettimeoutms=5', { socketTimeoutMS: 5, maxPoolSize: 7 }],
])('a connection string with %s overrides our defaults', async (_, query, expected) => {
  const mongo = createMongo(`mongodb://127.0.0.1:1/${query}`);
  expect(mongo.client.options).toMatchObject(expected);
  await mongo.close();
});

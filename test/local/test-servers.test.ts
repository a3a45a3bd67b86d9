import { Connection } from '@temporalio/client';
import { MongoClient } from 'mongodb';
import { SEARCH_ATTRIBUTES } from '../../src/domain/delivery-contract';
import { testServers } from '../support/servers';

describe('the test servers', () => {
  it('are a replica set that takes transactions', async () => {
    const client = new MongoClient(testServers().mongodbUri);
    try {
      const collection = client.db('everpost_test_servers').collection('probe');
      await client.withSession((session) =>
        session.withTransaction(async () => {
          await collection.insertOne({ n: 1 }, { session });
        }),
      );
      expect(await collection.countDocuments({}, { readConcern: { level: 'majority' } })).toBe(1);
      await client.db('everpost_test_servers').dropDatabase();
    } finally {
      await client.close();
    }
  });

  it('are a Temporal server with our search attributes', async () => {
    const connection = await Connection.connect({ address: testServers().temporalAddress });
    try {
      const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace: 'default' });
      expect(Object.keys(customAttributes ?? {})).toEqual(expect.arrayContaining([...SEARCH_ATTRIBUTES]));
    } finally {
      await connection.close();
    }
  });

  it('have a time-skipping server beside them', () => {
    expect(testServers().testServerBinary).toMatch(/^\//);
  });
});

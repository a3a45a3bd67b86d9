import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { createKeyStore } from '../../src/keys/key-store';
import { useStack } from '../support/build-stack';

const stack = useStack({ role: 'api' });

it("unknown keys are looked up in groups, so guessing doesn't flood MongoDB (S17)", async () => {
  const { keyId } = await stack.account();
  const client = new MongoClient(stack.config.mongodb.uri!, { monitorCommands: true });
  try {
    const queries: unknown[] = [];
    client.on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'find') queries.push(command);
    });
    const { hash } = (await stack.mongo.db
      .collection<{ _id: string; hash: string }>('api_keys')
      .findOne({ _id: keyId }))!;
    const guesses = Array.from({ length: 399 }, () => randomBytes(32).toString('hex'));
    const store = createKeyStore(client.db());

    const found = await Promise.all([...guesses, hash].map((one) => store.findByHash(one)));

    expect(found.map((one) => one?.key._id)).toEqual([...guesses.map(() => undefined), keyId]);
    expect(queries).toHaveLength(2);
  } finally {
    await client.close();
  }
});

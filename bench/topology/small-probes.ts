import { Connection } from '@temporalio/client';
import { MongoClient, type Document } from 'mongodb';

const ANSWER_TIMEOUT_MS = 3_000;

/** What docs/small.md has an operator do once with `deploy/mongodb/prepare.js`: the set, and its two users. */
export interface Passwords {
  readonly admin: string;
  readonly everpost: string;
}

/**
 * Takes one step towards a writable primary with its users, as deploy/mongodb/prepare.js does. Safe to repeat.
 *
 * @param host `127.0.0.1:<port>`
 * @throws Error while there is none yet
 */
export async function preparePrimary(host: string, passwords: Passwords): Promise<void> {
  const withoutUser = `mongodb://${host}/?directConnection=true`;
  const asAdmin = `mongodb://admin:${passwords.admin}@${host}/?directConnection=true`;
  const hello = await command(withoutUser, 'admin', { hello: 1 });
  if (hello['setName'] === undefined)
    await command(withoutUser, 'admin', {
      replSetInitiate: { _id: 'everpost', members: [{ _id: 0, host }] },
    });
  if (hello['isWritablePrimary'] !== true) throw new Error('it is not a writable primary yet');
  const isPrepared = await command(asAdmin, 'everpost', { usersInfo: 'everpost' }).then(
    ({ users }) => (users as unknown[]).length > 0,
    () => false,
  );
  if (isPrepared) return;
  // Before the first user, MongoDB lets its own machine make one.
  await command(withoutUser, 'admin', { createUser: 'admin', pwd: passwords.admin, roles: ['root'] });
  const roles = ['readWrite', 'dbAdmin'].map((role) => ({ role, db: 'everpost' }));
  await command(asAdmin, 'everpost', { createUser: 'everpost', pwd: passwords.everpost, roles });
}

async function command(uri: string, database: string, document: Document): Promise<Document> {
  const client = new MongoClient(uri, {
    serverSelectionTimeoutMS: ANSWER_TIMEOUT_MS,
    connectTimeoutMS: ANSWER_TIMEOUT_MS,
    socketTimeoutMS: 5 * ANSWER_TIMEOUT_MS,
  });
  try {
    return await client.db(database).command(document);
  } finally {
    await client.close();
  }
}

/** @throws Error while Temporal does not answer, or has no namespace yet */
export async function assertNamespace(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: ANSWER_TIMEOUT_MS });
  try {
    await connection.withDeadline(Date.now() + ANSWER_TIMEOUT_MS, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
  } finally {
    await connection.close();
  }
}

/** @throws Error while the API does not answer that it is ready, with both databases */
export async function assertReady(url: string): Promise<void> {
  const answer = await fetch(`${url}/readyz`);
  const { status } = (await answer.json()) as { status: string };
  if (status !== 'ok') throw new Error(`/readyz says ${status}`);
}

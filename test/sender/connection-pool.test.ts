import { request, type Agent } from 'node:https';
import { createConnectionPool, type ConnectionPool } from '../../src/sender/connection-pool';
import { useSenderTestbed, type Receiver } from './receivers';

const testbed = useSenderTestbed();
let pool: ConnectionPool | undefined;
afterEach(() => pool?.close());

function openPool(deps: { maxIdleConnections?: number; maxConnectionAgeMs?: number }) {
  pool = createConnectionPool({ extraCaPem: [testbed.authority.cert], ...deps });
  return pool;
}

function startReceiver(): Promise<Receiver> {
  return testbed.https((_request, response) => setTimeout(() => response.end('ok'), 10));
}

async function post(receiver: Receiver, fresh = false): Promise<void> {
  const agent = pool!.agentFor('https:', fresh);
  await new Promise<void>((resolve, reject) => {
    request(receiver.url, { method: 'POST', agent }, (response) => response.resume().on('end', resolve))
      .on('error', reject)
      .end();
  });
  // The agent takes the connection back after the response's end.
  await new Promise((resolve) => setImmediate(resolve));
}

const idleCount = () => Object.values(pool!.agentFor('https:', false).freeSockets).flat().length;

it('idle connections are limited over all destinations, and the one idle for longest is closed first', async () => {
  openPool({ maxIdleConnections: 2 });
  const [a, b, c] = [await startReceiver(), await startReceiver(), await startReceiver()];

  for (const receiver of [a, b, c]) await post(receiver);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(idleCount()).toBe(2);
  for (const receiver of [c, b, a]) await post(receiver);

  expect([a, b, c].map((receiver) => receiver.connections())).toEqual([2, 1, 1]);
});

it('many concurrent requests leave no more idle connections than the limit', async () => {
  openPool({ maxIdleConnections: 5 });
  const receiver = await startReceiver();

  await Promise.all(Array.from({ length: 20 }, () => post(receiver)));
  await new Promise((resolve) => setTimeout(resolve, 20));

  expect(receiver.connections()).toBe(20);
  expect(idleCount()).toBe(5);
});

it('an old connection is replaced', async () => {
  openPool({ maxConnectionAgeMs: 60 });
  const receiver = await startReceiver();

  do await post(receiver);
  while (receiver.connections() < 2);

  expect(idleCount()).toBe(1);
});

it("a request that needs a fresh connection doesn't keep it", async () => {
  openPool({});
  const receiver = await startReceiver();

  for (let number = 0; number < 3; number += 1) await post(receiver, true);

  expect([receiver.connections(), idleCount()]).toEqual([3, 0]);
});

it('certificate checks do not depend on NODE_TLS_REJECT_UNAUTHORIZED', () => {
  openPool({});

  // Node reads the variable only if the option is missing. (Jest hides the real environment from tests.)
  for (const fresh of [true, false]) {
    expect((pool!.agentFor('https:', fresh) as Agent).options.rejectUnauthorized).toBe(true);
  }
});

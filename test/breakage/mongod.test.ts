import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { freePort, isPortFree } from '../../dev/ports';
import { startMongod, type RunningMongod } from '../../dev/mongod';
import { supervise } from '../../dev/server-process';
import { createMongo } from '../../src/platform/mongo';
import { isMongoUnavailable } from '../../src/platform/mongo-unavailable';
import { eventually } from '../support/eventually';
import { serverBinary } from '../support/server-binary';
import { useTemporaryFolder } from '../support/temporary-folder';

const folder = useTemporaryFolder();
const onProgress = (): void => undefined;
let binary: string;

beforeAll(async () => {
  binary = await serverBinary('mongod');
});

const start = (port: number): Promise<RunningMongod> => startMongod({ binary, dataDir: folder(), port, onProgress });

async function countAfterInsert({ uri }: RunningMongod): Promise<number> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
  try {
    const notes = client.db('everpost_test').collection('notes');
    await notes.insertOne({}, { writeConcern: { w: 'majority', journal: true } });
    return await notes.countDocuments();
  } finally {
    await client.close();
  }
}

describe('the embedded mongod', () => {
  it('keeps its data on another port and after a kill, and refuses a second mongod on it', async () => {
    const first = await start(0);
    expect(await countAfterInsert(first)).toBe(1);
    // A second one on the same data is refused.
    await expect(start(0)).rejects.toThrow(/^mongod did not start: another mongod uses the same data folder\. Log: /);
    await first.stop();

    const moved = await start(0);
    expect(moved.port).not.toBe(first.port);
    expect(await countAfterInsert(moved)).toBe(2);
    await moved.kill();

    const again = await start(moved.port);
    expect(await countAfterInsert(again)).toBe(3);
    await again.stop();
  });

  it('has a log of its last start, and one of the start before', async () => {
    const ports: number[] = [];
    for (let starts = 0; starts < 3; starts += 1) {
      const mongod = await start(0);
      ports.push(mongod.port);
      await mongod.kill();
    }
    const startsIn = (name: string): number[] =>
      [...readFileSync(join(folder(), name), 'utf8').matchAll(/"MongoDB starting".*"port":(\d+)/g)].map(([, port]) =>
        Number(port),
      );

    expect(startsIn('mongod.log')).toEqual([ports[2]]);
    expect(startsIn('mongod.log.1')).toEqual([ports[1]]);
  });

  it('names the setting when its port is taken', async () => {
    const server: Server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      await expect(start(port)).rejects.toThrow(
        new Error(`Port ${port}, meant for MongoDB, is taken. Set MONGODB_PORT to a free one.`),
      );
    } finally {
      server.close();
    }
  });

  it('restarts on its port when it dies', async () => {
    const lines: string[] = [];
    const mongod = await supervise({
      name: 'mongod',
      start: (first?: RunningMongod) => start(first?.port ?? 0),
      onProgress: (line) => lines.push(line),
      firstDelayMs: 10,
    });
    process.kill(mongod.first.pid, 'SIGKILL');
    await mongod.first.exited;
    await eventually(
      () => lines.at(-1),
      (line) => line === 'mongod runs again.',
    );
    expect(await countAfterInsert(mongod.first)).toBe(1);
    await mongod.stop();
    expect(await isPortFree(mongod.first.port)).toBe(true);
    expect(lines[0]).toBe('mongod ended unexpectedly (signal SIGKILL); starting it again. Deliveries wait meanwhile.');
  });
});

it('a process that starts before MongoDB works as soon as MongoDB is up (regression: it answered 503 forever)', async () => {
  const port = await freePort();
  const mongo = createMongo(`mongodb://127.0.0.1:${port}/?replicaSet=everpost`);
  const outcome = () =>
    mongo.ping().then(
      () => 'up',
      (error: unknown) => (isMongoUnavailable(error) ? 'away' : String(error)),
    );
  try {
    // As a busy process does: several at once, while the first connection fails, and again after it has failed.
    expect(await Promise.all([outcome(), outcome(), outcome()])).toEqual(['away', 'away', 'away']);
    expect(await outcome()).toBe('away');

    const mongod = await start(port);
    try {
      expect(await eventually(outcome, (answer) => answer === 'up')).toBe('up');
    } finally {
      await mongod.kill();
    }
  } finally {
    await mongo.close();
  }
});

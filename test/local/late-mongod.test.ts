import { loadConfig } from '../../src/config';
import { findServer } from '../../src/local/find-server';
import { freePort } from '../../src/local/free-port';
import { startMongod } from '../../src/local/mongod';
import { createMongo, isMongoUnavailable } from '../../src/platform/mongo';
import { eventually } from '../support/eventually';
import { useTemporaryFolder } from '../support/temporary-folder';

const folder = useTemporaryFolder();
const onProgress = (): void => undefined;

test('a process that starts before MongoDB works as soon as it is there (regression: it answered 503 for ever)', async () => {
  const { cacheDir, mongodb } = loadConfig();
  const binary = await findServer('mongod', { configuredPath: mongodb.binary, cacheDir, onProgress });
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

    const mongod = await startMongod({ binary, dataDir: folder(), port, onProgress });
    try {
      expect(await eventually(outcome, (answer) => answer === 'up', 20_000)).toBe('up');
    } finally {
      await mongod.kill();
    }
  } finally {
    await mongo.close();
  }
}, 90_000);

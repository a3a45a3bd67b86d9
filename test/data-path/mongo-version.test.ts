import { Writable } from 'node:stream';
import { startRole } from '../../src/processes/start-role';
import { createLogger } from '../../src/platform/logger';
import { patchedRelease } from '../../src/platform/mongo-version';
import { buildConfig } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { createMongo } from '../../src/platform/mongo';

it('the log says once which MongoDB release fixes the server, and the process starts', async () => {
  const config = await buildConfig({}, 'api');
  const mongo = createMongo(config.mongodb.uri!);
  const version = await mongo.version();
  const release = patchedRelease(version);
  const warnings: string[] = [];
  const log = new Writable({ write: (line: Buffer, _encoding, done) => (warnings.push(String(line)), done()) });
  const role = await startRole('api', config, createLogger('warn', log));
  try {
    await role.indexesReady;
    const about = () => warnings.filter((line) => line.includes('CVE-2025-14847'));
    const wanted =
      release === undefined ? [] : [expect.stringMatching(`MongoDB ${version} .* run ${release} or later`)];
    await eventually(about, ({ length }) => length >= wanted.length);

    expect((await fetch(`${role.url}/healthz`)).status).toBe(200);
    expect(about()).toEqual(wanted);
  } finally {
    await role.close();
    await mongo.db.dropDatabase();
    await mongo.close();
  }
});

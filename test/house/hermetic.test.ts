import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config';
import { buildConfig } from '../support/build-stack';

const ROOT = join(__dirname, '..', '..');
const CONFIGS = ['./jest.config.js', './test/cluster/jest.config.js', './test/packages/jest.config.js'];

/** What a person may have set, and what a checkout has after `npm start`. */
const PERSONAL = {
  EVERPOST_DATA_DIR: join(ROOT, '.everpost'),
  ENCRYPTION_KEY: 'c29tZWJvZHkncw==',
  MONGODB_URI: 'mongodb://192.0.2.1/production',
  TEMPORAL_PROFILE: 'production',
  LOG_LEVEL: 'trace',
  XDG_CACHE_HOME: '/cache',
};

/** The environment that the tests of a configuration get from a person with that. */
function environmentUnder(config: string): NodeJS.ProcessEnv {
  const print = `require(${JSON.stringify(config)}); process.stdout.write(JSON.stringify(process.env))`;
  const options = { cwd: ROOT, encoding: 'utf8', env: { ...process.env, ...PERSONAL } } as const;
  return JSON.parse(execFileSync(process.execPath, ['-e', print], options)) as NodeJS.ProcessEnv;
}

describe('the tests do not see', () => {
  it.each(CONFIGS)("the settings of a person's environment (%s)", (config) => {
    const { EVERPOST_DATA_DIR, XDG_CACHE_HOME, ...others } = environmentUnder(config);

    expect(existsSync(EVERPOST_DATA_DIR!)).toBe(false);
    expect(others).not.toMatchObject({ LOG_LEVEL: expect.anything() });
    for (const name of ['ENCRYPTION_KEY', 'MONGODB_URI', 'TEMPORAL_PROFILE']) expect(others[name]).toBeUndefined();
    // Where the servers of the tests are kept.
    expect(XDG_CACHE_HOME).toBe('/cache');
  });

  it("Temporal's profiles and Git's configuration of a home directory", () => {
    const { TEMPORAL_CONFIG_FILE, GIT_CONFIG_GLOBAL } = process.env;

    expect(TEMPORAL_CONFIG_FILE).toBe(join(ROOT, 'test/harness/temporal.toml'));
    expect(readFileSync(GIT_CONFIG_GLOBAL!, 'utf8')).toBe('');
  });

  it('the data of an earlier `npm start` in the checkout (regression: it gave a key to the tests of resealing)', async () => {
    const folders = [loadConfig(), await buildConfig({}, 'api')].map(({ dataDir }) => dataDir);

    expect(folders.filter((folder) => folder.startsWith(ROOT) || existsSync(folder))).toEqual([]);
  });
});

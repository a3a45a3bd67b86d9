'use strict';
// The tests see what they set, and nothing of the person who runs them: no setting of the environment, no data of an earlier
// `npm start` in this checkout, no profile of Temporal and no Git configuration in the home directory. Required by each
// configuration of tests, whose processes inherit it.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const EXAMPLE = join(__dirname, '..', '..', '.env.example');
/** Where the servers of the tests come from, and whom the machine trusts: that is the machine's, not a test's. */
const KEPT = new Set(['MONGOD_BINARY', 'TEMPORAL_BINARY', 'XDG_CACHE_HOME', 'NODE_EXTRA_CA_CERTS']);
/** No test may make it. */
const NO_FOLDER = '/nonexistent/everpost';

const settings = readFileSync(EXAMPLE, 'utf8').match(/(?<=^#?)[A-Z][A-Z0-9_]+(?==)/gm);
for (const name of settings.filter((each) => !KEPT.has(each))) delete process.env[name];

Object.assign(process.env, {
  EVERPOST_DATA_DIR: NO_FOLDER,
  TEMPORAL_CONFIG_FILE: join(__dirname, 'temporal.toml'),
  GIT_CONFIG_GLOBAL: '/dev/null',
});

module.exports = { settings, NO_FOLDER };

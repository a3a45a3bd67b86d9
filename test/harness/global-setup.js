'use strict';
const { execFileSync } = require('node:child_process');
const { join } = require('node:path');
require('./load-typescript');

const READY = join(__dirname, '..', '..', 'bootstrap', 'ready.js');

/** Servers for the whole run, where a test needs some: `test/unit` does not. Tests of breakage run the built product. */
module.exports = async (_, { displayName }) => {
  if (displayName.name === 'breakage') {
    execFileSync(process.execPath, [READY, 'server', 'page'], { stdio: ['ignore', 2, 2] });
  }
  const { startTestServers } = require('../support/servers.ts');
  globalThis.stopTestServers = await startTestServers();
};

'use strict';
require('./load-typescript');

/** Servers for the whole run, where a test needs some: `test/unit` does not. */
module.exports = async () => {
  const { startTestServers } = require('../support/servers.ts');
  globalThis.stopTestServers = await startTestServers();
};

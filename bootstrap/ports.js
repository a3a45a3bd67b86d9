'use strict';
require('./env');
const { once } = require('node:events');
const { existsSync } = require('node:fs');
const { createServer } = require('node:net');
const { resolve } = require('node:path');

/** The servers of `npm start`: setting and default of their ports, and the setting that names a server elsewhere. */
const SERVERS = [
  { what: 'the API', setting: 'PORT', usual: 8080 },
  { what: 'MongoDB', setting: 'MONGODB_PORT', usual: 27_117, elsewhere: 'MONGODB_URI' },
  { what: 'Temporal', setting: 'TEMPORAL_PORT', usual: 7233, elsewhere: 'TEMPORAL_ADDRESS' },
  { what: "Temporal's Web UI", setting: 'TEMPORAL_UI_PORT', usual: 8233, elsewhere: 'TEMPORAL_ADDRESS' },
];

/**
 * Checks the ports before the minutes of the first install and build. Only before the first start on a data folder:
 * later, our own servers may use them, and dev/ports.ts can tell.
 *
 * @throws Error that names the setting to change
 */
async function checkPorts() {
  if (existsSync(resolve(process.env.EVERPOST_DATA_DIR || '.everpost'))) return;
  for (const { what, setting, usual, elsewhere } of SERVERS) {
    const port = Number(process.env[setting] || usual);
    if (process.env[elsewhere] || (await isFree(port, setting))) continue;
    throw new Error(`Port ${port}, meant for ${what}, is taken. Set ${setting} to a free one.`);
  }
}

/** Only `EADDRINUSE` means that it is taken: src/config.ts checks other values, such as an invalid port. */
async function isFree(port, setting) {
  const server = createServer();
  try {
    server.listen(port, (setting === 'PORT' && process.env.HOST) || '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    return error.code !== 'EADDRINUSE';
  }
  server.close();
  return true;
}

module.exports = { checkPorts };

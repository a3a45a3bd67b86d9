'use strict';
const { createHash } = require('node:crypto');
const { once } = require('node:events');
const { rmSync } = require('node:fs');
const { connect, createServer } = require('node:net');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { ROOT } = require('./run');

let isHeld = false;

/**
 * Waits until no other process of this checkout installs or builds, and makes others wait until this process ends. The
 * lock is a listening socket: the system closes it with its process, however that ends.
 */
async function lock() {
  while (!isHeld) isHeld = (await tryListen()) || (await holdersEnd());
}

const id = `everpost-${createHash('sha256').update(ROOT).digest('hex').slice(0, 16)}`;
// Linux has sockets without a file, so none can be left behind.
const path = process.platform === 'linux' ? `\0${id}` : join(tmpdir(), `${id}.sock`);

async function tryListen() {
  // Waiting processes keep a connection, which must not keep this process alive.
  const server = createServer((socket) => socket.on('error', () => undefined).unref()).listen(path);
  try {
    await once(server, 'listening');
    server.unref();
    return true;
  } catch (error) {
    if (error.code !== 'EADDRINUSE') throw error;
    return false;
  }
}

/** Keeps a connection to the holder, which ends with it. @returns false: the lock is not ours yet */
async function holdersEnd() {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    console.error('Waiting for another command that installs or builds …');
    await once(socket, 'close');
  } catch {
    // It has just ended; the file of its socket would remain.
    if (!path.startsWith('\0')) rmSync(path, { force: true });
  }
  return false;
}

module.exports = { lock };

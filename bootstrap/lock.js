'use strict';
const { createHash } = require('node:crypto');
const { rmSync } = require('node:fs');
const net = require('node:net');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { ROOT } = require('./paths');
const { say } = require('./say');

/**
 * Does the work while no other process does work under the same name in this checkout. The lock is a listening
 * socket: the system releases it when its holder is gone, however it went.
 */
async function withLock(name, waiting, work) {
  let server = await tryListen(name);
  if (!server) say(`${waiting} …`);
  while (!server) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    server = await tryListen(name);
  }
  try {
    return await work();
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

function socketPath(name) {
  const id = `everpost-${name}-${createHash('sha256').update(ROOT).digest('hex').slice(0, 16)}`;
  // Linux has sockets without a file, which can't be left behind.
  return process.platform === 'linux' ? `\0${id}` : join(tmpdir(), `${id}.sock`);
}

function tryListen(name) {
  const path = socketPath(name);
  return new Promise((resolve, reject) => {
    const server = net.createServer((socket) => socket.destroy());
    server.once('error', (error) => {
      if (error.code !== 'EADDRINUSE') reject(error);
      else resolve(removeIfDead(path));
    });
    server.listen(path, () => resolve(server));
  });
}

/** A socket's file outlives its process; without a file there is nothing to remove. */
async function removeIfDead(path) {
  if (!path.startsWith('\0') && !(await answers(path))) rmSync(path, { force: true });
}

function answers(path) {
  return new Promise((resolve) => {
    const socket = net.connect(path);
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
  });
}

module.exports = { withLock };

'use strict';
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { realpathSync } = require('node:fs');
const { dirname } = require('node:path');

const ROOT = realpathSync(dirname(__dirname));

/**
 * Runs a program to its end, with its output on stderr, and prints every ten seconds that it is still running.
 *
 * @throws Error when it fails
 */
async function run(what, file, args, env = process.env) {
  console.error(`${what} …`);
  const startedAt = Date.now();
  const timer = setInterval(() => console.error(`${what} … ${Math.round((Date.now() - startedAt) / 1000)} s`), 10_000);
  try {
    const child = spawn(file, args, { cwd: ROOT, env, stdio: ['ignore', 2, 2] });
    const [code, signal] = await once(child, 'exit');
    if (code !== 0) throw new Error(`${what} failed (${signal ?? `exit code ${code}`}); the reason is above.`);
  } finally {
    clearInterval(timer);
  }
}

module.exports = { ROOT, run };

'use strict';
const { spawn } = require('node:child_process');
const { constants } = require('node:os');
const { ROOT } = require('./paths');
const { ExpectedError } = require('./say');

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

/**
 * Runs a program on our own terminal to its end, passing signals on.
 *
 * @returns its exit code; 128 + the signal's number when a signal ended it
 */
function runToEnd(file, args, { onStart, env, stdio = 'inherit', cwd } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio, cwd, env: env ?? process.env });
    const forwarders = FORWARDED.map((signal) => {
      // A terminal sends its Ctrl-C to the whole group, so the child has it already; once more would mean "force".
      const forward = () => {
        if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
      };
      process.on(signal, forward);
      return () => process.off(signal, forward);
    });
    const settle = () => forwarders.forEach((remove) => remove());
    child.once('spawn', () => onStart?.(child.pid));
    child.once('error', (error) => {
      settle();
      reject(new ExpectedError(`${file} can't be started: ${error.message}`));
    });
    child.once('exit', (code, signal) => {
      settle();
      resolve(signal ? 128 + constants.signals[signal] : code);
    });
  });
}

/**
 * Runs a program of the build itself: what it prints goes to stderr.
 *
 * @throws ExpectedError when it fails
 */
async function runStep(what, file, args, env) {
  const code = await runToEnd(file, args, { stdio: ['ignore', 2, 2], cwd: ROOT, env });
  if (code !== 0) throw new ExpectedError(`${what} failed (exit code ${code}); the reason is above.`);
}

module.exports = { runToEnd, runStep };

'use strict';

/** A failure that its user can repair: printed as one line, without a stack. */
class ExpectedError extends Error {}

/** One line for the person who waits. */
function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Does the work, and says every ten seconds that it still goes on. */
async function sayWhile(line, work) {
  say(`${line} …`);
  const startedAt = Date.now();
  const timer = setInterval(() => say(`${line} … ${Math.round((Date.now() - startedAt) / 1000)} s`), 10_000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

module.exports = { ExpectedError, say, sayWhile };

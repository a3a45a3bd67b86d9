'use strict';

/** How to run npm: the one that runs this script, when one does. @returns the program and its arguments */
function npmCommand(...args) {
  const npm = process.env.npm_execpath;
  return npm?.endsWith('.js') ? { file: process.execPath, args: [npm, ...args] } : { file: 'npm', args };
}

module.exports = { npmCommand };

// What every npm script goes through: `node bootstrap/run.js <command> [arguments]`. It installs and builds what is
// missing or stale, and then runs the command. Plain CommonJS without dependencies: it runs before there are any.
// Its own words go to stderr, so stdout belongs to the command.

'use strict';

// In words that an old Node understands.
var version = process.versions.node.split('.').map(Number);
if (version[0] < 20 || (version[0] === 20 && version[1] < 19)) {
  console.error('Everpost needs Node 20.19 or later; this is Node ' + process.versions.node + '.');
  process.exit(1);
}

require('./main');

'use strict';
// `node bootstrap/ready.js [ports] [server] [client] [page]` runs first in the scripts of package.json. It installs the
// dependencies if they differ from package-lock.json, and builds the named parts if their sources changed. Plain
// CommonJS, because it runs before there are dependencies. It writes to stderr: stdout belongs to the command.

// The `require` calls come after this check, because an old Node can't parse what they load.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Everpost needs Node 20.19 or later; this is Node ${process.versions.node}.`);
  process.exit(1);
}

const { build } = require('./build');
const { install } = require('./install');
const { checkPorts } = require('./ports');

async function main(wanted) {
  if (wanted.includes('ports')) await checkPorts();
  await install();
  await build(wanted);
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  process.exit(1);
});

'use strict';
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { lock } = require('./lock');
const { ROOT, run } = require('./run');

/** Installs what package-lock.json lists into `node_modules`, unless it is installed already. */
async function install() {
  if (isInstalled()) return;
  await lock();
  if (isInstalled()) return;
  // With NODE_ENV=production, npm would leave out the compiler.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('Installing the dependencies', 'npm', args);
}

/** npm writes its list of installed packages last. A package for another platform may be missing. */
function isInstalled() {
  const wanted = packagesOf('package-lock.json');
  const installed = packagesOf('node_modules/.package-lock.json');
  return Object.entries(wanted).every(([path, { version, optional }]) =>
    installed[path] ? installed[path].version === version : path === '' || optional === true,
  );
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(join(ROOT, file), 'utf8')).packages;
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}

module.exports = { install };

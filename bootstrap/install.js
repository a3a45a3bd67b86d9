'use strict';
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { lock } = require('./lock');
const { ROOT, run } = require('./run');

/** Makes `node_modules` what package-lock.json says, and does nothing when it is. */
async function install() {
  if (isInstalled()) return;
  await lock();
  if (isInstalled()) return;
  // NODE_ENV=production would leave the compiler out.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('Installing the dependencies', 'npm', args);
}

/** npm lists what it installed, last of all. A package of another platform may be missing. */
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

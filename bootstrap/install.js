'use strict';
const { createHash } = require('node:crypto');
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { runStep } = require('./child');
const { withLock } = require('./lock');
const { npmCommand } = require('./npm');
const { MODULES, ROOT } = require('./paths');
const { sayWhile } = require('./say');

const STAMP = join(MODULES, '.everpost-stamp');

/** Makes `node_modules` what package-lock.json says; does nothing when it is. */
async function ensureDependencies() {
  const wanted = wantedStamp();
  if (isCurrent(wanted)) return;
  await withLock('install', 'Waiting for another command that installs the dependencies', async () => {
    if (isCurrent(wanted)) return;
    await sayWhile('Installing the dependencies', npmCi);
    writeFileSync(STAMP, wanted);
  });
}

/** Changes when the dependencies do; the scripts in package.json may change freely. */
function wantedStamp() {
  const { dependencies, devDependencies, optionalDependencies, overrides } = readJson(join(ROOT, 'package.json'));
  return createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .update(JSON.stringify([dependencies, devDependencies, optionalDependencies, overrides]))
    .digest('hex');
}

function isCurrent(wanted) {
  try {
    if (readFileSync(STAMP, 'utf8') === wanted) return true;
  } catch {
    // Never installed by us.
  }
  if (!installedByHand()) return false;
  writeFileSync(STAMP, wanted);
  return true;
}

/** Whether somebody's own `npm install` made exactly what the lock file says. npm writes its list last. */
function installedByHand() {
  try {
    const wanted = readJson(join(ROOT, 'package-lock.json')).packages;
    const installed = readJson(join(MODULES, '.package-lock.json')).packages;
    const names = Object.keys(wanted).filter((name) => name !== '');
    const same = names.every((name) =>
      installed[name] ? installed[name].version === wanted[name].version : wanted[name].optional === true,
    );
    return same && Object.keys(installed).every((name) => wanted[name] !== undefined);
  } catch {
    return false;
  }
}

async function npmCi() {
  // NODE_ENV=production would leave the compiler out.
  const { file, args } = npmCommand('ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error');
  await runStep('npm ci', file, args);
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

module.exports = { ensureDependencies };

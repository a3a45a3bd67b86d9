'use strict';
const { randomBytes } = require('node:crypto');
const fs = require('node:fs');
const { join, relative } = require('node:path');
const { runStep } = require('./child');
const { withLock } = require('./lock');
const { BUILDS, DIST, MODULES, ROOT } = require('./paths');
const { sayWhile } = require('./say');
const { assets, sourceHash } = require('./sources');

const KEPT_BUILDS = 3;
const KEPT_FOR_MS = 86_400_000;
const TEMPORARY = '.part-';
const USERS = '.used-by';

/**
 * Makes sure that there is a build of the present sources, and that `dist` leads to it. Each state of the sources
 * has a folder of its own: a running stack keeps the one that it started from.
 *
 * @returns its folder, and how to say that a process runs from it
 */
async function ensureBuild() {
  const hash = sourceHash();
  const folder = join(BUILDS, hash);
  if (!fs.existsSync(folder)) {
    await withLock('build', 'Waiting for another command that builds', async () => {
      if (!fs.existsSync(folder)) await sayWhile('Building', () => buildInto(folder));
      removeOldBuilds(folder);
    });
  }
  fs.utimesSync(folder, new Date(), new Date());
  pointDistTo(folder);
  return { folder, markUsed: (pid) => markUsed(folder, pid) };
}

/** Built under another name first: a build that was interrupted is never used. */
async function buildInto(folder) {
  const part = join(BUILDS, `${TEMPORARY}${randomBytes(6).toString('hex')}`);
  fs.mkdirSync(part, { recursive: true });
  try {
    await runStep('The compiler', process.execPath, [
      join(MODULES, 'typescript/bin/tsc'),
      '-p',
      'tsconfig.build.json',
      '--outDir',
      part,
    ]);
    for (const file of assets()) {
      fs.cpSync(join(ROOT, file), join(part, file));
    }
    if (fs.existsSync(join(part, 'workflows/index.js'))) {
      await runStep('Bundling the workflows', process.execPath, [join(__dirname, 'bundle-workflows.js'), part]);
    }
    fs.mkdirSync(join(part, USERS));
    fs.renameSync(part, folder);
  } finally {
    fs.rmSync(part, { recursive: true, force: true });
  }
}

/** The link is replaced by a rename: there is no moment without it. */
function pointDistTo(folder) {
  const target = relative(ROOT, folder);
  const found = fs.lstatSync(DIST, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() && fs.readlinkSync(DIST) === target) return;
  if (found?.isDirectory()) fs.rmSync(DIST, { recursive: true });
  const link = join(BUILDS, `${TEMPORARY}${randomBytes(6).toString('hex')}`);
  fs.symlinkSync(target, link, 'dir');
  fs.renameSync(link, DIST);
}

function markUsed(folder, pid) {
  fs.mkdirSync(join(folder, USERS), { recursive: true });
  fs.writeFileSync(join(folder, USERS, String(pid)), '');
}

/** Keeps the newest ones, those of the last day, and those that a process runs from. */
function removeOldBuilds(current) {
  const builds = fs
    .readdirSync(BUILDS)
    .map((name) => join(BUILDS, name))
    .filter((path) => path !== current)
    .map((path) => ({ path, usedAtMs: fs.lstatSync(path).mtimeMs }))
    .sort((a, b) => b.usedAtMs - a.usedAtMs);
  for (const { path, usedAtMs } of builds.slice(KEPT_BUILDS - 1)) {
    if (Date.now() - usedAtMs < KEPT_FOR_MS || isUsed(path)) continue;
    fs.rmSync(path, { recursive: true, force: true });
  }
}

function isUsed(path) {
  const folder = join(path, USERS);
  const pids = fs.existsSync(folder) ? fs.readdirSync(folder).map(Number) : [];
  return pids.some((pid) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      return error.code === 'EPERM';
    }
  });
}

module.exports = { ensureBuild };

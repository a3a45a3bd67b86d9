'use strict';
const { randomBytes } = require('node:crypto');
const fs = require('node:fs');
const { join, relative } = require('node:path');
const { runStep } = require('./child');
const { withLock } = require('./lock');
const { BUILDS, DIST, MODULES, ROOT } = require('./paths');
const { sayWhile } = require('./say');
const { assets, sourceHash } = require('./sources');
const { buildWebPage, linkWebPage, PREFIX: WEB_PAGE_PREFIX, webPageFolder } = require('./web-page');

const KEPT_BUILDS = 3;
const KEPT_FOR_MS = 86_400_000;
const TEMPORARY = '.part-';
const USERS = '.used-by';

/**
 * Makes sure that there is a build of the present sources, and that `dist` leads to it. Each state of the sources
 * has a folder of its own, the web page's too: a running stack keeps the ones that it started from.
 *
 * @param options `webPage: true` also builds the web page, for `dist/web`
 * @returns the server's folder, and how to say that a process runs from it
 */
async function ensureBuild({ webPage = false } = {}) {
  const folder = join(BUILDS, sourceHash());
  const page = webPageFolder();
  // A page that is there already is taken along by every command.
  const folders = [folder, ...(page && (webPage || fs.existsSync(page)) ? [page] : [])];
  const missing = () => folders.filter((path) => !fs.existsSync(path));
  if (missing().length > 0) {
    await withLock('build', 'Waiting for another command that builds', async () => {
      const wanted = missing();
      if (wanted.length > 0) await sayWhile('Building', () => buildAll(wanted, page));
      removeOldBuilds(folders);
    });
  }
  for (const path of folders) fs.utimesSync(path, new Date(), new Date());
  if (folders.includes(page)) linkWebPage(folder, page);
  pointDistTo(folder);
  return {
    folder,
    markUsed: (pid) => {
      for (const path of folders) markUsed(path, pid);
    },
  };
}

/** Server and page at once. Waits for both even when one fails: the lock says that nobody builds. */
async function buildAll(folders, page) {
  const built = await Promise.allSettled(
    folders.map((path) => (path === page ? buildWebPage(path, partFolder()) : buildServer(path))),
  );
  const failed = built.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
}

function partFolder() {
  return join(BUILDS, `${TEMPORARY}${randomBytes(6).toString('hex')}`);
}

/** Built under another name first: a build that was interrupted is never used. */
async function buildServer(folder) {
  const part = partFolder();
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
  const link = partFolder();
  fs.symlinkSync(target, link, 'dir');
  fs.renameSync(link, DIST);
}

function markUsed(folder, pid) {
  fs.mkdirSync(join(folder, USERS), { recursive: true });
  fs.writeFileSync(join(folder, USERS, String(pid)), '');
}

/** Keeps the newest ones of server and page, those of the last day, and those that a process runs from. */
function removeOldBuilds(current) {
  const names = fs.readdirSync(BUILDS);
  const isPage = (name) => name.startsWith(WEB_PAGE_PREFIX);
  removeOldest(
    names.filter((name) => !isPage(name)),
    current,
  );
  removeOldest(names.filter(isPage), current);
}

function removeOldest(names, current) {
  const builds = names
    .map((name) => join(BUILDS, name))
    .filter((path) => !current.includes(path))
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

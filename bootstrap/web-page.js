'use strict';
const { randomBytes } = require('node:crypto');
const fs = require('node:fs');
const { join } = require('node:path');
const { promisify } = require('node:util');
const { brotliCompress, constants, gzip } = require('node:zlib');
const { runStep } = require('./child');
const { BUILDS, MODULES, ROOT } = require('./paths');
const { webPageHash } = require('./sources');

const PREFIX = 'web-';
/** Smaller files would not become smaller packets. */
const WORTH_COMPRESSING_BYTES = 1_024;

/** Where the page of the present sources is, or would be; undefined where there is no page to build. */
function webPageFolder() {
  return fs.existsSync(join(ROOT, 'dashboard')) ? join(BUILDS, `${PREFIX}${webPageHash()}`) : undefined;
}

/** Builds the page into a folder of its own; under another name first, so that half a page is never used. */
async function buildWebPage(folder, part) {
  try {
    const args = ['build', join(ROOT, 'dashboard'), '--outDir', part, '--logLevel', 'warn'];
    // Whoever asks for it, tests too: with another NODE_ENV the page would hold React's development build.
    const env = { ...process.env, NODE_ENV: 'production' };
    await runStep('The build of the web page', process.execPath, [join(MODULES, 'vite/bin/vite.js'), ...args], env);
    await compress(join(part, 'assets'));
    fs.renameSync(part, folder);
  } finally {
    fs.rmSync(part, { recursive: true, force: true });
  }
}

/** Makes the link `web` in a build of the server lead to the page. Replaced by a rename: it is never missing. */
function linkWebPage(build, page) {
  const link = join(build, 'web');
  const target = join('..', page.slice(BUILDS.length + 1));
  const found = fs.lstatSync(link, { throwIfNoEntry: false });
  if (found && fs.readlinkSync(link) === target) return;
  const next = `${link}-${randomBytes(6).toString('hex')}`;
  fs.symlinkSync(target, next, 'dir');
  fs.renameSync(next, link);
}

/** Once and well here, instead of for every visitor. */
async function compress(folder) {
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await Promise.all(
    fs.readdirSync(folder).map(async (name) => {
      const file = join(folder, name);
      const content = fs.readFileSync(file);
      if (content.length < WORTH_COMPRESSING_BYTES || !/\.(css|js|svg)$/.test(name)) return;
      fs.writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, brotli));
      fs.writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
    }),
  );
}

module.exports = { PREFIX, buildWebPage, linkWebPage, webPageFolder };

'use strict';
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const { join } = require('node:path');
const { ROOT } = require('./paths');

const SOURCE_FOLDERS = ['src', 'workflows', 'activities', 'dev', 'bench'];
const OTHER_INPUTS = [
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'bootstrap/build.js',
  'bootstrap/bundle-workflows.js',
];

/** What the web page is made of; from the server it takes `domain` only. */
const PAGE_FOLDERS = ['dashboard', 'src/domain'];
const PAGE_INPUTS = ['package-lock.json', 'tsconfig.json', 'bootstrap/web-page.js'];

/** Names a build of the server: the same sources and dependencies give the same name. */
function sourceHash() {
  return hashOf([...OTHER_INPUTS, ...filesUnder(SOURCE_FOLDERS)]);
}

/** Names a build of the web page in the same way. */
function webPageHash() {
  return hashOf([...PAGE_INPUTS, ...filesUnder(PAGE_FOLDERS)]);
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const content = fs.readFileSync(join(ROOT, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}

/** What the compiler does not take along: pages, styles, schemas. */
function assets() {
  return filesUnder(SOURCE_FOLDERS).filter((file) => !/\.tsx?$/.test(file));
}

function filesUnder(folders) {
  return folders
    .filter((folder) => fs.existsSync(join(ROOT, folder)))
    .flatMap((folder) =>
      fs
        .readdirSync(join(ROOT, folder), { recursive: true })
        .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
        .filter((file) => fs.statSync(join(ROOT, file)).isFile()),
    )
    .sort();
}

module.exports = { assets, sourceHash, webPageHash };

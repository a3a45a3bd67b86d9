'use strict';
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const { join } = require('node:path');
const { ROOT } = require('./paths');

const SOURCE_FOLDERS = ['src', 'workflows', 'activities', 'bench'];
const OTHER_INPUTS = [
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'bootstrap/build.js',
  'bootstrap/bundle-workflows.js',
];

/** Names a build: the same sources and dependencies give the same name. */
function sourceHash() {
  const hash = createHash('sha256');
  for (const file of [...OTHER_INPUTS, ...sourceFiles()]) {
    const content = fs.readFileSync(join(ROOT, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}

/** What the compiler does not take along: pages, styles, schemas. */
function assets() {
  return sourceFiles().filter((file) => !/\.tsx?$/.test(file));
}

function sourceFiles() {
  return SOURCE_FOLDERS.filter((folder) => fs.existsSync(join(ROOT, folder)))
    .flatMap((folder) =>
      fs
        .readdirSync(join(ROOT, folder), { recursive: true })
        .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
        .filter((file) => fs.statSync(join(ROOT, file)).isFile()),
    )
    .sort();
}

module.exports = { assets, sourceHash };

'use strict';
const { realpathSync } = require('node:fs');
const { dirname, join } = require('node:path');

const ROOT = realpathSync(dirname(__dirname));

module.exports = {
  ROOT,
  MODULES: join(ROOT, 'node_modules'),
  BUILDS: join(ROOT, '.build'),
  /** A link to the newest build. */
  DIST: join(ROOT, 'dist'),
};

'use strict';
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { ROOT } = require('./paths');
const { ExpectedError } = require('./say');

/** Reads settings from `.env`, when there is one. What the environment says already wins. */
function loadEnvFile() {
  const file = join(ROOT, '.env');
  if (!existsSync(file)) return;
  try {
    process.loadEnvFile(file);
  } catch (error) {
    throw new ExpectedError(`${file} can't be read: ${error.message}`);
  }
}

module.exports = { loadEnvFile };

#!/usr/bin/env node
'use strict';
// The command `everpost`. In a production install the build is there; in a checkout it is made when missing or stale.
const { existsSync, realpathSync } = require('node:fs');
const { join } = require('node:path');
const { runToEnd } = require('./child');
const { DIST, ROOT } = require('./paths');

const cli = join(DIST, 'src', 'cli.js');
const isCheckout = existsSync(join(ROOT, 'src', 'cli.ts'));
const command = isCheckout ? [join(__dirname, 'run.js'), 'cli'] : [existsSync(cli) ? realpathSync(cli) : cli];

runToEnd(process.execPath, [...command, ...process.argv.slice(2)]).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  },
);

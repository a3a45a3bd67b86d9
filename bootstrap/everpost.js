#!/usr/bin/env node
'use strict';
// The command `everpost`. A checkout builds what is missing or stale first; a production install is already built.
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { runMain } = require('node:module');
const { join } = require('node:path');

if (existsSync(join(__dirname, '..', 'src', 'cli.ts'))) {
  const parts = process.argv[2] === 'start' ? ['ports', 'server', 'page'] : ['server'];
  const { status } = spawnSync(process.execPath, [join(__dirname, 'ready.js'), ...parts], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(1);
  require('./env');
}
process.argv[1] = join(__dirname, '..', 'dist', 'src', 'cli.js');
runMain();

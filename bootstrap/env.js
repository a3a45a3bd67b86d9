'use strict';
// `node --require ./bootstrap/env.js …` reads settings from `.env`, if there is one. The environment takes precedence.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const file = join(__dirname, '..', '.env');
if (existsSync(file)) process.loadEnvFile(file);

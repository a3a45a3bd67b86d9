'use strict';
// Lets Node require TypeScript: `require('./load-typescript')` once, before the first `.ts` file.
const { addHook } = require('pirates');
const { transformSync } = require('@swc/core');

addHook(
  (source, filename) =>
    transformSync(source, {
      filename,
      swcrc: false,
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
      module: { type: 'commonjs' },
      sourceMaps: 'inline',
    }).code,
  { exts: ['.ts'] },
);
// Errors name lines of the TypeScript.
process.setSourceMapsEnabled(true);
// The product passes these options on to its threads.
if (!process.execArgv.includes(__filename)) process.execArgv.push('--require', __filename);

'use strict';
const { createHash } = require('node:crypto');

/**
 * jest's transform of a test file: a line that lets Node load the file instead of jest (environment.js).
 *
 * jest would evaluate every module again for each test file, in a separate sandbox: 2.5 s of processor time for the
 * product's imports. It does so for module mocks, which we don't use. Node evaluates a module once in a process.
 */
module.exports = {
  process: (_source, path) => ({ code: `process.loadTestFile(${JSON.stringify(path)}, jest);` }),
  getCacheKey: (_source, path) => createHash('sha256').update(`1 ${path}`).digest('hex'),
};

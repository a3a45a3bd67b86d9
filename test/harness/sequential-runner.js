'use strict';
const { default: TestRunner } = require('jest-runner');

/** Runs one file at a time: what a test breaks is then not another test's. */
module.exports = class SequentialRunner extends TestRunner {
  constructor(globalConfig, context) {
    super({ ...globalConfig, maxWorkers: 1 }, context);
  }
};

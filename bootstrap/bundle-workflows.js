'use strict';
// Bundles the workflows of the build in the given folder once, so that a worker is ready in 0.5 s instead of 1.5 s.
const { writeFileSync } = require('node:fs');
const { join, resolve } = require('node:path');
const { bundleWorkflowCode, DefaultLogger } = require('@temporalio/worker');

const folder = resolve(process.argv[2]);
// Modules are named by their path from here, and this folder gets another name later: building again makes the same bundle.
process.chdir(folder);
bundleWorkflowCode({
  workflowsPath: join(folder, 'workflows', 'index.js'),
  logger: new DefaultLogger('WARN'),
}).then(
  ({ code }) => writeFileSync(join(folder, 'workflow-bundle.js'), code),
  (error) => {
    console.error(error);
    process.exitCode = 1;
  },
);

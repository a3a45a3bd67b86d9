'use strict';
// Bundles the workflows of a build once, so that a worker is ready in 0.5 s instead of 1.5 s.
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { bundleWorkflowCode, DefaultLogger } = require('@temporalio/worker');

// Modules are named by their path relative to this folder: the same sources make the same bundle in every checkout.
process.chdir(process.argv[2]);
const workflowsPath = join(process.cwd(), 'workflows', 'index.js');
bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') }).then(
  ({ code }) => writeFileSync('workflow-bundle.js', code),
  (error) => {
    console.error(error);
    process.exitCode = 1;
  },
);

// Makes the wheel of the Python client: `npm run pack:python -- <folder>`. pip fetches what the build needs.

import { execFileSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const [target] = process.argv.slice(2);
if (target === undefined) throw new Error('Name the folder that gets the wheel.');

const HERE = import.meta.dirname;
const ROOT = join(HERE, '..', '..');
const require = createRequire(import.meta.url);
const { describeOperations } = require(join(ROOT, 'dist', 'src', 'operations.js'));
const { buildOpenApi } = require(join(ROOT, 'dist', 'src', 'openapi', 'openapi.js'));

writeFileSync(join(HERE, 'openapi.json'), JSON.stringify(buildOpenApi(describeOperations().api.operations)));
copyFileSync(join(ROOT, 'LICENSE'), join(HERE, 'LICENSE'));
const pip = ['-m', 'pip', '--disable-pip-version-check', '--no-input', 'wheel', '--quiet', '--no-deps'];
execFileSync('python3', [...pip, '--wheel-dir', resolve(target), HERE], { stdio: 'inherit' });

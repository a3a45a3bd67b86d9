// Builds docs/ into a static site: `npm run docs` writes docs-site/dist, which any web server can serve at its root.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '..');
const require = createRequire(join(ROOT, 'package.json'));

/** The site's packages are not the product's: they are installed the first time, and when the lock file is newer. */
function install() {
  const installed = join(HERE, 'node_modules', '.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(HERE, 'package-lock.json')).mtimeMs) return;
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts'], { cwd: HERE, stdio: 'inherit' });
  if (status !== 0) throw new Error('The packages of the site could not be installed.');
}

/** The API's document, and the reference that the product shows at /docs. */
function stageApi(folder) {
  const { describeOperations } = require('./dist/src/operations.js');
  const { buildOpenApi } = require('./dist/src/openapi/openapi.js');
  const { renderReference } = require('./dist/src/openapi/reference.js');
  mkdirSync(folder, { recursive: true });
  const document = buildOpenApi(describeOperations().api.operations);
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
  cpSync(join(ROOT, 'dashboard', 'src', 'docs.css'), join(folder, 'reference.css'));
  const reference = renderReference(document).replaceAll('href="/openapi.json"', 'href="openapi.json"');
  const page = readFileSync(join(HERE, 'api.html'), 'utf8').replace('%REFERENCE%', () => reference);
  writeFileSync(join(folder, 'index.html'), page);
}

install();
const { stagePages } = await import('./stage-pages.mjs');
const { build } = await import('vitepress');
const { problemsOf } = await import('./check-site.mjs');

stagePages(join(HERE, '.pages'));
stageApi(join(HERE, '.pages', 'public', 'api'));
cpSync(join(ROOT, 'dashboard', 'public', 'favicon.svg'), join(HERE, '.pages', 'public', 'favicon.svg'));
// It fails on a link to a page that is not there.
await build(HERE);
const problems = problemsOf(join(HERE, 'dist'));
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exit(1);
}

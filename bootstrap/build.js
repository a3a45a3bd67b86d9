'use strict';
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const { join } = require('node:path');
const { lock } = require('./lock');
const { ROOT, run } = require('./run');

const DIST = join(ROOT, 'dist');
const DAY_MS = 86_400_000;

/** What the guides are written from, in the frame that Vite makes. */
const GUIDES = [
  'docs',
  'README.md',
  'SECURITY.md',
  'client/README.md',
  'packages/listen/README.md',
  'packages/python/README.md',
  'examples',
  'dashboard',
];

/** What is built: its sources, and how. A later part may need an earlier one. All but the client's types are in `dist`. */
const PARTS = [
  {
    name: 'server',
    inputs: ['src', 'workflows', 'activities', 'dev', 'bench', 'tsconfig.build.json'],
    make: async () => {
      await run('Compiling', process.execPath, [moduleFile('typescript/bin/tsc'), '-p', 'tsconfig.build.json']);
      // The compiler copies no other files.
      const filter = (path) => !path.endsWith('.ts');
      fs.cpSync(join(ROOT, 'src'), join(DIST, 'src'), { recursive: true, filter });
    },
  },
  {
    name: 'workflows',
    of: 'server',
    inputs: ['workflows', 'src/domain'],
    make: () => run('Bundling the workflows', process.execPath, [join(__dirname, 'bundle-workflows.js'), DIST]),
  },
  {
    name: 'client',
    // The image has no client.
    inputs: ['client/generate.mjs', 'src'],
    make: () => run("Writing the client's types", process.execPath, [join(ROOT, 'client', 'generate.mjs'), DIST]),
  },
  {
    name: 'page',
    inputs: ['dashboard', 'src/domain'],
    make: async () => {
      removeOldAssets();
      const args = ['build', 'dashboard', '--outDir', join(DIST, 'web'), '--logLevel', 'warn'];
      // With another value, such as that of a test, the page would contain React's development build.
      const env = { ...process.env, NODE_ENV: 'production' };
      for (const [pages, what] of Object.entries({
        dashboard: 'Building the web page',
        portal: 'Building the portal',
      })) {
        await run(what, process.execPath, [moduleFile('vite/bin/vite.js'), ...args], { ...env, PAGES: pages });
      }
    },
  },
  {
    name: 'guides',
    of: 'page',
    inputs: GUIDES,
    make: () => {
      const args = [join(ROOT, 'dashboard', 'guides', 'build.mjs'), join(DIST, 'web')];
      return run('Writing the guides', process.execPath, args);
    },
  },
];

/**
 * Builds the parts of `dist` whose sources changed since they were built.
 *
 * @param wanted any of `server` (with the workflows), `client` (its types, which need the server) and `page`
 */
async function build(wanted) {
  const parts = PARTS.filter(
    ({ name, of = name, inputs }) => wanted.includes(of) && fs.existsSync(join(ROOT, inputs[0])),
  );
  const wantedStates = parts.map((part) => ({
    ...part,
    state: stateOf(part.inputs),
    file: join(DIST, `.${part.name}`),
  }));
  const isBuilt = ({ state, file }) => fs.existsSync(file) && fs.readFileSync(file, 'utf8') === state;
  if (wantedStates.every(isBuilt)) return;
  await lock();
  for (const { make, state, file } of wantedStates.filter((part) => !isBuilt(part))) {
    // A half-built part has no valid hash.
    fs.rmSync(file, { force: true });
    await make();
    fs.writeFileSync(file, state);
  }
}

/** A hash of everything that a part is built from. */
function stateOf(inputs) {
  const hash = createHash('sha256');
  for (const file of [...inputs, 'package-lock.json', 'tsconfig.json', 'bootstrap'].flatMap(filesOf)) {
    const content = fs.readFileSync(join(ROOT, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function filesOf(input) {
  const path = join(ROOT, input);
  if (!fs.existsSync(path)) return [];
  if (!fs.statSync(path).isDirectory()) return [input];
  const names = fs.readdirSync(path).sort();
  return names.flatMap((name) => filesOf(`${input}/${name}`));
}

/** A running server still sends the files of the page that it started with. */
function removeOldAssets() {
  const folder = join(DIST, 'web', 'assets');
  for (const name of fs.existsSync(folder) ? fs.readdirSync(folder) : []) {
    const file = join(folder, name);
    if (Date.now() - fs.statSync(file).mtimeMs > DAY_MS) fs.rmSync(file);
  }
}

function moduleFile(path) {
  return join(ROOT, 'node_modules', path);
}

module.exports = { build };

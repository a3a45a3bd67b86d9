'use strict';
const { spawn } = require('node:child_process');
const {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} = require('node:fs');
const { tmpdir } = require('node:os');
const { basename, join } = require('node:path');

const LEFT_OUT = new Set(['node_modules', '.git', '.chaos', 'dist']);

/** The tree's own jest configuration, but the servers are there already. */
const CONFIG_FILE = 'mutations.config.js';
const CONFIG = `
const plain = ({ globalSetup, globalTeardown, reporters, runner, ...rest }) => rest;
const config = plain(require('./jest.config.js'));
module.exports = { ...config, ...(config.projects && { projects: config.projects.map(plain) }) };
`;

/** Of a test that failed: its titles, or what kept it from starting. */
const FAILED = /^\s*● (?:Test suite failed to run\s+)?(.+)$/m;

/**
 * Copies a tree into a separate folder, where sources can be broken.
 *
 * @param packages the node_modules that the copy uses
 */
function makeCopy(tree, packages) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'everpost-mutations-'));
  cpSync(tree, folder, { recursive: true, filter: (path) => path === tree || !LEFT_OUT.has(basename(path)) });
  symlinkSync(packages, join(folder, 'node_modules'));
  writeFileSync(join(folder, CONFIG_FILE), CONFIG);
  let running;

  return {
    folder,
    /** Runs tests on a mutant, and takes it out again. */
    async runOn(mutant, tests, timeoutMs) {
      const path = join(folder, mutant.file);
      const whole = readFileSync(path);
      const parts = [whole.subarray(0, mutant.start), Buffer.from(mutant.after), whole.subarray(mutant.end)];
      writeFileSync(path, Buffer.concat(parts));
      try {
        return await this.run(tests, timeoutMs);
      } finally {
        writeFileSync(path, whole);
      }
    },
    /** @returns the result of the tests, the titles of those that failed, and the whole output of jest */
    async run(tests, timeoutMs) {
      const jest = join(folder, 'node_modules/jest/bin/jest.js');
      const options = ['--config', CONFIG_FILE, '--bail', '--maxWorkers=1', '--forceExit', '--no-watchman'];
      const begin = performance.now();
      running = spawn(process.execPath, [jest, ...options, '--runTestsByPath', ...tests], {
        cwd: folder,
        detached: true,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const chunks = [];
      running.stderr.on('data', (chunk) => chunks.push(chunk));
      let isLate = false;
      const alarm = setTimeout(() => {
        isLate = true;
        this.stop();
      }, timeoutMs);
      const status = await new Promise((resolve) => running.once('exit', resolve));
      // What the tests started and did not stop.
      this.stop();
      running = undefined;
      clearTimeout(alarm);
      const output = Buffer.concat(chunks).toString();
      const outcome = isLate ? 'timed out' : status === 0 ? 'survived' : 'killed';
      const killedBy = outcome === 'killed' ? (FAILED.exec(output)?.[1] ?? output.slice(-500)) : undefined;
      return { outcome, killedBy, output, seconds: Math.round((performance.now() - begin) / 100) / 10 };
    },
    /** Ends the tests that run, and every process that they started. */
    stop() {
      try {
        if (running) process.kill(-running.pid, 'SIGKILL');
      } catch {
        // All have ended.
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The test files of a tree behind folders (`unit`, `api`) and names (`rate`), whatever folder a name is in. */
function findTests(tree, names) {
  const all = readdirSync(join(tree, 'test'), { recursive: true }).map(String);
  const files = all.filter((path) => path.endsWith('.test.ts')).sort();
  const isWanted = (path) => names.some((name) => path.startsWith(`${name}/`) || path.endsWith(`/${name}.test.ts`));
  return files.filter(isWanted).map((path) => `test/${path}`);
}

/** The packages of a tree, or of this checkout where it has none. */
function packagesOf(tree) {
  const own = join(tree, 'node_modules');
  return existsSync(own) ? own : join(__dirname, '../../node_modules');
}

module.exports = { findTests, makeCopy, packagesOf };

'use strict';
const { readFileSync, writeFileSync } = require('node:fs');
const { join, relative, sep } = require('node:path');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { TestEnvironment } = require('jest-environment-node');
require('./load-typescript');

/** Evaluates a test file again, with the modules that are already loaded. jest runs one file at a time in a process. */
process.loadTestFile = (path, jest) => {
  globalThis.jest = jest;
  delete require.cache[path];
  require(path);
};

/**
 * Runs a test file as Node runs a program: in Node's own realm, where `instanceof Error` holds for what Node throws.
 * Measures each test, and each hook of a whole file: wall time, and processor time of this process.
 */
module.exports = class NativeEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    // `expect` lives in jest's sandbox: `expect.any(String)` has to know Node's own String, and `toMatchObject` its Date.
    Object.assign(this.global, { Array, BigInt, Boolean, Date, Error, Function, Number, Object, String, Symbol });
    this.global = globalThis;
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis });
    this.file = relative(config.projectConfig.rootDir, context.testPath).replaceAll(sep, '/');
    this.begin = now();
    this.spans = [];
  }

  async setup() {
    await super.setup();
    // jest's own hides Node's, which knows the source maps.
    delete Error.prepareStackTrace;
  }

  handleTestEvent(event) {
    const { name, hook, test } = event;
    if (name === 'test_start') this.testBegin = now();
    if (name === 'test_done') this.measured(titleOf(test), this.testBegin);
    if (hook?.type !== 'beforeAll' && hook?.type !== 'afterAll') return;
    if (name === 'hook_start') this.hookBegin = now();
    if (name === 'hook_success') this.measured(`(${hook.type})`, this.hookBegin);
  }

  async teardown() {
    await super.teardown();
    // Where the reporter (slowest-reporter.js) collects what each file took.
    const { EVERPOST_TEST_TIMES: folder } = process.env;
    if (!folder) return;
    const times = { title: this.file, ...since(this.begin), spans: this.spans };
    writeFileSync(join(folder, `${this.file.replaceAll('/', '-')}.json`), JSON.stringify(times));
  }

  measured(title, begin) {
    this.spans.push({ title: `${this.file} › ${title}`, ...since(begin) });
  }
};

// Saved before a test can replace the clock.
const monotonicMs = performance.now.bind(performance);

function now() {
  const { user, system } = process.cpuUsage();
  return { wallMs: monotonicMs(), cpuMs: (user + system) / 1_000 + childrensMs() };
}

function since(begin) {
  const end = now();
  return { wallMs: end.wallMs - begin.wallMs, cpuMs: end.cpuMs - begin.cpuMs };
}

/** Processor time of ended child processes; Linux tells it in hundredths of a second. */
function childrensMs() {
  if (process.platform !== 'linux') return 0;
  // The name, in parentheses, may hold spaces.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

function titleOf(test) {
  const titles = [];
  for (let block = test; block.parent; block = block.parent) titles.unshift(block.name);
  return titles.join(' › ');
}

'use strict';
const { mkdtempSync, readdirSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const ROWS = 20;

/** Prints the slowest files and tests of a run: how long each took, waited, and computed in its process. */
module.exports = class SlowestReporter {
  constructor(config) {
    this.watches = config.watch || config.watchAll;
  }

  /** The environments (environment.js) write into this folder. They run in processes that inherit the variable. */
  onRunStart() {
    this.begin = performance.now();
    this.folder = mkdtempSync(join(tmpdir(), 'everpost-times-'));
    process.env.EVERPOST_TEST_TIMES = this.folder;
  }

  onRunComplete() {
    const files = readdirSync(this.folder).map((name) => JSON.parse(readFileSync(join(this.folder, name), 'utf8')));
    rmSync(this.folder, { recursive: true });
    if (this.watches || files.length < 2) return;
    const whole = (performance.now() - this.begin) / 1_000;
    const computed = files.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / 1_000;
    print(`\n${files.length} files in ${whole.toFixed(0)} s; the tests' processes computed ${computed.toFixed(0)} s.`);
    table('Slowest files', files);
    const tests = files.flatMap(({ spans }) => spans);
    table('Slowest tests', tests);
  }
};

function table(heading, rows) {
  print(`\n${heading}\n  took s waited s computed s`);
  for (const { title, wallMs, cpuMs } of rows.toSorted((a, b) => b.wallMs - a.wallMs).slice(0, ROWS)) {
    const columns = [cell(wallMs, 8), cell(Math.max(0, wallMs - cpuMs), 9), cell(cpuMs, 11)];
    print(`${columns.join('')}  ${title}`);
  }
}

function cell(ms, width) {
  return (ms / 1_000).toFixed(1).padStart(width);
}

function print(line) {
  process.stderr.write(`${line}\n`);
}

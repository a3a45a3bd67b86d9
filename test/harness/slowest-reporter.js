'use strict';
const { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const ROWS = 10;
/** A run of fewer files is no run of the tests: it takes the place of no record. */
const MIN_KEPT = 50;

/** Prints the slowest files and tests of a run, and keeps what each took for `npm run ci:times`. */
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

  async onRunComplete() {
    const files = readdirSync(this.folder).map((name) => JSON.parse(readFileSync(join(this.folder, name), 'utf8')));
    rmSync(this.folder, { recursive: true });
    if (this.watches || files.length < 2) return;
    const { keepTests, tableOf } = await import('../../.ci/times.mjs');
    const wallMs = performance.now() - this.begin;
    const computed = files.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / 1_000;
    const record = {
      wallMs,
      files: files.map(({ title, wallMs: tookMs, cpuMs }) => ({ title, wallMs: tookMs, cpuMs })),
      tests: files.flatMap(({ spans }) => spans),
    };
    print(
      `\n${files.length} files in ${(wallMs / 1_000).toFixed(0)} s; the tests' processes computed ${computed.toFixed(0)} s.`,
    );
    print(`\n${tableOf('Slowest files', record.files, ROWS)}`);
    print(`\n${tableOf('Slowest tests', record.tests, ROWS)}\n\nMore of them: npm run ci:times`);
    // `.ci/run` keeps them with its checks.
    const { EVERPOST_TIMES: place } = process.env;
    if (place) writeFileSync(join(place, 'tests.json'), JSON.stringify(record));
    else if (files.length >= MIN_KEPT) keepTests(record);
  }
};

function print(line) {
  process.stderr.write(`${line}\n`);
}

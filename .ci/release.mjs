#!/usr/bin/env node
// Makes a release on this machine; pushing its tag publishes it (.github/workflows/release.yml).
//
//   node .ci/release.mjs 1.2.3          sets the version everywhere, dates the changelog, commits and tags
//   node .ci/release.mjs notes 1.2.3    prints the changelog of that version
//
// It changes nothing unless everything is as it has to be.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CHANGELOG = 'CHANGELOG.md';
const CHART = 'deploy/helm/everpost/Chart.yaml';
const WHEEL = 'packages/python/pyproject.toml';
const WORKSPACES = ['client', 'packages/listen'];
const PACKAGES = ['.', ...WORKSPACES];
const UNRELEASED = '## [Unreleased]';
const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/** A reason to stop, in a sentence for the person who releases. */
class Refusal extends Error {}

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();
const read = (file) => readFileSync(file, 'utf8');

/** @returns the text below a heading of the changelog, up to the next one of its level */
function sectionOf(changelog, heading) {
  const lines = changelog.split('\n');
  const start = lines.findIndex((line) => line.startsWith(heading));
  if (start < 0) return undefined;
  const below = lines.slice(start + 1);
  const end = below.findIndex((line) => line.startsWith('## '));
  return below
    .slice(0, end < 0 ? undefined : end)
    .join('\n')
    .trim();
}

/** @returns negative, 0 or positive, as for `sort` */
function compareVersions(a, b) {
  const [left, right] = [a, b].map((version) => VERSION.exec(version).slice(1).map(Number));
  return left.map((part, index) => part - right[index]).find((difference) => difference !== 0) ?? 0;
}

function editJson(file, edit) {
  const content = JSON.parse(read(file));
  edit(content);
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}

function release(version) {
  const current = JSON.parse(read('package.json')).version;
  const tag = `v${version}`;
  const changes = sectionOf(read(CHANGELOG), UNRELEASED);
  if (git('status', '--porcelain') !== '') throw new Refusal('Commit or remove your changes first.');
  if (git('branch', '--show-current') !== 'main') throw new Refusal('Releases are made on main.');
  if (git('tag', '--list', tag) !== '') throw new Refusal(`${tag} exists already.`);
  // The first release has the version that the packages were born with.
  const isFirst = git('tag', '--list', 'v*') === '';
  const difference = compareVersions(version, current);
  if (difference < 0 || (difference === 0 && !isFirst)) {
    throw new Refusal(`${version} has to be greater than ${current}.`);
  }
  if (!changes) throw new Refusal(`${CHANGELOG} has nothing under "${UNRELEASED}".`);

  for (const file of PACKAGES) editJson(join(file, 'package.json'), (it) => (it.version = version));
  editJson('package-lock.json', (it) => {
    for (const entry of [it, ...['', ...WORKSPACES].map((name) => it.packages[name])]) entry.version = version;
  });
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(CHANGELOG, read(CHANGELOG).replace(UNRELEASED, `${UNRELEASED}\n\n## [${version}] - ${date}`));
  writeFileSync(
    'docker-compose.yml',
    read('docker-compose.yml').replaceAll(`everpost:${current}`, `everpost:${version}`),
  );
  writeFileSync(WHEEL, read(WHEEL).replace(/^version = .*$/m, `version = "${version}"`));
  writeFileSync(
    CHART,
    read(CHART).replace(/^(version|appVersion): .*$/gm, (_, name) => `${name}: ${version}`),
  );
  git('commit', '--all', '--quiet', '--message', `build: release ${version}`);
  git('tag', '--annotate', tag, '--cleanup=verbatim', '--message', `Everpost ${version}\n\n${changes}`);
  process.stdout.write(`${tag} is tagged here. To publish it: git push --follow-tags\n`);
}

function printNotes(version) {
  const notes = sectionOf(read(CHANGELOG), `## [${version}]`);
  if (!notes) throw new Refusal(`${CHANGELOG} has nothing about ${version}.`);
  process.stdout.write(`${notes}\n`);
}

try {
  const [first, second] = process.argv.slice(2);
  const version = first === 'notes' ? second : first;
  if (!VERSION.test(version ?? '')) throw new Refusal('Usage: node .ci/release.mjs [notes] 1.2.3');
  if (first === 'notes') printNotes(version);
  else release(version);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

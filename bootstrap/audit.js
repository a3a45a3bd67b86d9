'use strict';
// Known vulnerabilities of what the product ships: `npm audit` on the production dependencies. A registry without an
// audit endpoint (a mirror, mostly) can't tell: that is said loudly, and is no failure.
const { spawnSync } = require('node:child_process');
const { ROOT } = require('./paths');
const { npmCommand } = require('./npm');
const { say } = require('./say');

const TIMEOUT_MS = 90_000;

function main() {
  const { file, args } = npmCommand('audit', '--omit=dev', '--audit-level=high', '--json', ...process.argv.slice(2));
  const { stdout, stderr } = spawnSync(file, args, { cwd: ROOT, encoding: 'utf8', timeout: TIMEOUT_MS });
  const report = parse(stdout);
  const counts = report?.metadata?.vulnerabilities;
  if (!counts) {
    const reason = report?.error?.summary || report?.message || stderr.trim().split('\n').at(-1) || 'no answer';
    say(`NOT AUDITED: the registry does not tell of vulnerabilities (${reason}). Nothing is known, good or bad.`);
    return 0;
  }
  say(
    `Known vulnerabilities: ${Object.entries(counts)
      .map(([level, count]) => `${count} ${level}`)
      .join(', ')}`,
  );
  const serious = Object.values(report.vulnerabilities ?? {}).filter(({ severity }) => /high|critical/.test(severity));
  for (const { name, severity, range } of serious) say(`${severity}: ${name} ${range}`);
  return serious.length === 0 ? 0 : 1;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

process.exitCode = main();

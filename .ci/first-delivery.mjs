// The README's first steps, as a stranger takes them: `npm start`, its printed commands, an event that arrives signed, Ctrl-C.
// The data folder stays, as it does for everybody who then runs the tests.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '..');
/** The servers are downloaded the first time, and the machine may be slow. */
const PATIENCE_MS = 600_000;

if (existsSync(join(ROOT, '.everpost'))) {
  // The data of an earlier start has no new account, whose key would be printed.
  console.log('SKIPPED: this checkout has data of an earlier start (.everpost), which is left alone');
  process.exit(0);
}

const ports = { PORT: '0', METRICS_PORT: '0', MONGODB_PORT: '0', TEMPORAL_PORT: '0', TEMPORAL_UI_PORT: '0' };
const child = spawn('npm', ['run', '--silent', 'start'], {
  cwd: ROOT,
  env: { ...process.env, ...ports },
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: true,
});
const exited = once(child, 'exit');
/** All processes of it: npm and what it started. */
const tell = (signal) => process.kill(-Number(child.pid), signal);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => tell(signal));
let banner = '';
child.stdout.on('data', (text) => {
  banner += text;
  process.stdout.write(text);
});

try {
  await until('it says that it runs', () => banner.includes('Ctrl-C stops everything'));
  const commands = banner.split('\n').filter((line) => line.startsWith('  curl '));
  for (const command of commands) console.log(execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' }));
  const inbox = /Inbox +(http:\S+)/.exec(banner)[1];
  await until('the event arrives, signed', async () => {
    const received = await (await fetch(`${inbox}requests`)).json();
    return received.some(({ signature }) => signature === 'verified');
  });
  tell('SIGINT');
  const [code, signal] = await exited;
  if (code !== 0) throw new Error(`after Ctrl-C it ended with ${signal ?? `exit code ${code}`}`);
  console.log('The first event arrived, signed, and everything stopped in order.');
} catch (error) {
  console.error(error.message);
  if (child.exitCode === null) tell('SIGKILL');
  process.exitCode = 1;
}

async function until(what, isSo) {
  const end = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (child.exitCode !== null) throw new Error(`npm start ended with exit code ${child.exitCode}`);
    if (performance.now() > end) throw new Error(`${what}: not within ${PATIENCE_MS / 60_000} minutes`);
    await sleep(200);
  }
}

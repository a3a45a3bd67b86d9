import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from '../../dev/ports';
import { eventually } from '../support/eventually';

// What docker-compose.yml promises, without Docker: a mount namespace whose root is read-only, a user and a group of
// 1000, no capability left, and nothing to be won by another program.

const ROOT = join(__dirname, '..', '..');

/** What the container has in memory; the other one where this checkout is below it, and would be hidden. */
const SCRATCH = ROOT.startsWith('/tmp/') ? '/var/tmp' : '/tmp';

const NAMESPACE = `
  mount --bind / / && cd / && mount -o remount,ro,bind / && mount -t tmpfs tmpfs ${SCRATCH} || exit 90
  touch /everpost-was-here 2>/dev/null && exit 91
  exec setpriv --reuid 1000 --regid 1000 --clear-groups --no-new-privs --bounding-set=-all "$@"
`;

/** Namespaces take rights that a developer's machine may not give, and another user may not enter the checkout. */
function canIsolate(): boolean {
  const asAnother = ['setpriv', '--reuid', '1000', '--regid', '1000', '--clear-groups'];
  try {
    execFileSync('unshare', ['--mount', ...asAnother, 'test', '-r', join(ROOT, 'package.json')], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

const isolated = canIsolate();

test(
  // oxlint-disable-next-line jest/valid-title -- a machine that can't show it says so
  isolated
    ? 'the product runs as a user without rights, on a root that it can not write to'
    : 'NOT SHOWN: no mount namespace here, or no other user can read the checkout, to run on a read-only root',
  async () => {
    if (!isolated) return;
    const port = await freePort();
    const settings = {
      NODE_ENV: 'production',
      PATH: '/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin',
      HOME: '/nonexistent',
      TMPDIR: SCRATCH,
      PORT: String(port),
      // No server is there: the process runs and reports that.
      MONGODB_URI: 'mongodb://127.0.0.1:1/',
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    };
    const main = join(ROOT, 'dist', 'src', 'main.js');
    const command = [
      '--mount',
      '--propagation',
      'private',
      'bash',
      '-c',
      NAMESPACE,
      'bash',
      process.execPath,
      main,
      'all',
    ];
    const started = spawn('unshare', command, { env: settings, stdio: ['ignore', 'pipe', 'pipe'] });
    child = started;
    let said = '';
    for (const stream of [started.stdout, started.stderr]) stream.on('data', (text: Buffer) => (said += text));

    const status = await eventually(
      () =>
        started.exitCode === null
          ? fetch(`http://127.0.0.1:${port}/healthz`).then(
              (answer) => String(answer.status),
              () => 'not yet',
            )
          : Promise.resolve(`it ended with ${started.exitCode}: ${said}`),
      (answer) => answer !== 'not yet',
      90_000,
    );

    expect(status).toBe('200');
    expect(said).not.toMatch(/EROFS|EACCES|read-only file system/i);
  },
  180_000,
);

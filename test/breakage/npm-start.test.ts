import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isPortFree } from '../../dev/ports';
import { eventually } from '../support/eventually';
import { useTemporaryFolder } from '../support/temporary-folder';

const run = promisify(execFile);
const folder = useTemporaryFolder();
const root = join(__dirname, '..', '..');
const children: ChildProcess[] = [];

/** A build and a start, however busy the machine is. */
const PATIENCE_MS = 300_000;

afterEach(() => {
  children.splice(0).forEach(killTree);
  killServers();
});

interface Started {
  readonly child: ChildProcess;
  readonly output: string;
  readonly curls: readonly string[];
  readonly apiUrl: string;
  readonly inboxUrl: string;
}

const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  EVERPOST_DATA_DIR: join(folder(), 'data'),
  ...{ PORT: '0', MONGODB_PORT: '0', TEMPORAL_PORT: '0', TEMPORAL_UI_PORT: '0' },
});

/** The checkout without what its user keeps in it: settings, and the data of another start. */
function copyOfCheckout(): string {
  const tree = join(folder(), 'tree');
  const isCopied = (path: string): boolean => !/\/(node_modules|\.git|\.chaos|\.everpost|\.env)$/.test(path);
  cpSync(root, tree, { recursive: true, filter: isCopied });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  return tree;
}

function launch(script: string, cwd: string, settings: NodeJS.ProcessEnv = {}): ChildProcess {
  const env = { ...environment(), ...settings };
  const child = spawn('npm', ['run', '--silent', script], { cwd, env, detached: true });
  children.push(child);
  return child;
}

async function start(...what: Parameters<typeof launch>): Promise<Started> {
  const child = launch(...what);
  let output = '';
  let errors = '';
  child.stderr!.on('data', (text: Buffer) => (errors += text.toString()));
  await new Promise<void>((resolve, reject) => {
    child.stdout!.on('data', (text: Buffer) => {
      output += text.toString();
      if (output.includes('Ctrl-C stops everything')) resolve();
    });
    child.once('exit', () => reject(new Error(`it ended: ${errors}`)));
  });
  return {
    child,
    output,
    curls: output.split('\n').filter((line) => line.startsWith('  curl ')),
    apiUrl: /API +(http:\S+)/.exec(output)![1]!,
    inboxUrl: /Inbox +(http:\S+)/.exec(output)![1]!,
  };
}

/**
 * A free port that the system gives to no process that asks for any port: `npm run dev` leaves its port for a second
 * while it replaces its processes, and other tests run beside this one.
 */
async function portThatStaysFree(): Promise<number> {
  const [lowest] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split('\t').map(Number);
  for (;;) {
    const port = randomInt(10_000, lowest!);
    if (await isPortFree(port)) return port;
  }
}

/** The processes of the stack itself; its servers have their own groups, and end by themselves. */
function killTree(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

interface Attempt {
  readonly number: number;
  readonly started_at: string;
}

type Received = { path: string; signature: string; headers: Record<string, string> };
const received = async (inboxUrl: string): Promise<Received[]> =>
  (await (await fetch(`${inboxUrl}requests`)).json()) as Received[];

/** Servers that run on the test's folder, by process id. */
function serversLeft(): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => commandLine(pid).includes(`${folder()}/data/`)).map(Number);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function killServers(): void {
  if (process.platform !== 'linux') return;
  for (const pid of serversLeft()) process.kill(pid, 'SIGKILL');
}

// Other systems have no /proc in which to look for leftover processes.
const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

describeOnLinux('npm start', () => {
  it('delivers with the printed commands, and resumes after everything is killed', async () => {
    const tree = copyOfCheckout();
    const first = await start('start', tree);
    const [, eventCurl] = first.curls;
    for (const curl of first.curls) await run('/bin/sh', ['-c', curl]);
    const [delivery] = await eventually(
      () => received(first.inboxUrl),
      ([request]) => request?.signature === 'verified',
    );
    expect(delivery!.headers['x-webhook-type']).toBe('order.created');

    // A second start on the same folder gets one line that says where the first one is.
    const second = launch('start', tree);
    let said = '';
    second.stderr!.on('data', (text: Buffer) => (said += text.toString()));
    expect(await once(second, 'close')).toEqual([1, null]);
    expect(said.trim()).toMatch(/^Everpost runs already on .*: API http:.*$/);
    expect(said).toContain(first.apiUrl);

    // A destination that fails, and a kill between its second attempt and its third.
    const key = /svc_live_weh_[0-9a-f]{32}/.exec(first.output)![0];
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const failing = JSON.stringify({ url: `${first.inboxUrl.replace('http:', 'https:')}status/503`, events: ['*'] });
    await fetch(`${first.apiUrl}/api/v1/webhooks/endpoints`, { method: 'POST', headers, body: failing });
    const { stdout } = await run('/bin/sh', ['-c', eventCurl!]);
    const { id } = JSON.parse(stdout) as { id: number };
    const failures = async (inboxUrl: string) =>
      (await received(inboxUrl)).filter(({ path }) => path === '/status/503');
    await eventually(
      () => failures(first.inboxUrl),
      ({ length }) => length === 2,
    );
    killTree(first.child);
    await once(first.child, 'exit');
    await eventually(serversLeft, ({ length }) => length === 0);

    const again = await start('start', tree);
    expect(again.inboxUrl).toBe(first.inboxUrl);
    expect(first.output).toMatch(/svc_admin_[0-9a-f]{32}/);
    expect(again.output).not.toMatch(/svc_(live_weh|admin)_[0-9a-f]/);
    const attempts = await eventually(
      async () => {
        const answer = await fetch(`${again.apiUrl}/api/v1/webhooks/events/${id}`, { headers });
        const { deliveries } = (await answer.json()) as { deliveries: { url: string; attempts: Attempt[] }[] };
        return deliveries.find(({ url }) => url.endsWith('/status/503'))!.attempts;
      },
      ({ length }) => length >= 3,
      // If the kill hit the second attempt, Temporal retries it 40 s after it started.
      60_000,
    );
    expect(attempts.slice(0, 3).map(({ number }) => number)).toEqual([1, 2, 3]);
    // The kill cuts the wait of five seconds short by nothing.
    const [, secondAt, thirdAt] = attempts.map(({ started_at: at }) => Date.parse(at));
    expect(thirdAt! - secondAt!).toBeGreaterThanOrEqual(5_000);
    expect((await failures(again.inboxUrl)).length).toBeGreaterThan(0);

    again.child.kill('SIGINT');
    expect(await once(again.child, 'exit')).toEqual([0, null]);
    expect(serversLeft()).toEqual([]);
    expect(existsSync(join(folder(), 'data', 'everpost.sock'))).toBe(false);
  }, 180_000);
});

describeOnLinux('npm run dev', () => {
  it("serves changed sources without a restart, and the last good build while they don't compile", async () => {
    const tree = copyOfCheckout();
    const source = join(tree, 'src', 'http', 'health.ts');
    const good = readFileSync(source, 'utf8');
    /** As an editor does it. */
    const save = (text: string): void => {
      writeFileSync(`${source}~`, text);
      renameSync(`${source}~`, source);
    };
    const statusOf = async (apiUrl: string): Promise<unknown> => {
      // A process that ends may get a connection as its last act, and answer nothing.
      const signal = AbortSignal.timeout(5_000);
      const answer = await fetch(`${apiUrl}/healthz`, { signal })
        .then((it) => it.json())
        .catch(() => undefined);
      return (answer as { status: string } | undefined)?.status;
    };

    const { child, apiUrl } = await start('dev', tree, { PORT: String(await portThatStaysFree()) });
    let errors = '';
    child.stderr!.on('data', (text: Buffer) => (errors += text.toString()));
    const log = (): string => readFileSync(join(folder(), 'data', 'everpost.log'), 'utf8');
    expect(await statusOf(apiUrl)).toBe('ok');

    save(good.replace("'ok'", 'wrong'));
    await eventually(
      () => errors,
      (text) => text.includes('Compiling failed'),
      PATIENCE_MS,
    );
    expect(await statusOf(apiUrl)).toBe('ok');

    save(good.replace("'ok'", "'changed'"));
    await eventually(
      async () => ({ status: await statusOf(apiUrl), errors: errors.slice(-500), log: log().slice(-1_000) }),
      ({ status }) => status === 'changed',
      PATIENCE_MS,
    );
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(serversLeft()).toEqual([]);
  }, 900_000);
});

import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { loadConfig, type Config } from '../../src/config';
import { createMongo, type Mongo } from '../../src/platform/mongo';
import { buildCaller, type Caller } from '../support/build-caller';
import { holdAnswers, ownType, receivedIds } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';
import { buildAccount, buildSettings } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';

// PROCESSES=2: one command, two processes behind one port.

const MAIN = join(__dirname, '..', '..', 'dist', 'src', 'main.js');
const receiver = useReceiver();

interface Running {
  readonly main: ChildProcess;
  /** Its settings, as environment variables. */
  readonly env: Readonly<Record<string, string>>;
  /** Resolves when a process logs this. */
  readonly said: (message: string) => Promise<unknown>;
  readonly url: string;
  readonly caller: Caller;
  readonly metricsUrl: string;
  readonly config: Config;
  readonly mongo: Mongo;
}

async function start(): Promise<Running> {
  const env = await buildSettings(
    { PROCESSES: '2', LOG_LEVEL: 'info', FIRST_ATTEMPT: 'express', DELIVERY_TIMEOUT: '5s', MAX_CONNECTIONS: '60' },
    'all',
  );
  const config = loadConfig(env);
  const mongo = createMongo(config.mongodb.uri!);
  const main = spawn(process.execPath, [MAIN, 'all'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const log = new EventEmitter();
  const { url, metrics } = await new Promise<{ url: string; metrics: string }>((resolve, reject) => {
    main.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
    createInterface({ input: main.stdout }).on('line', (line) => {
      const said = JSON.parse(line);
      log.emit(said.msg);
      if (said.msg === 'everpost started') resolve(said);
    });
  });
  const said = (message: string) => once(log, message);
  const account = (options?: object) => buildAccount(config, mongo, options);
  return { main, env, said, url, metricsUrl: metrics, config, mongo, caller: await buildCaller({ url, account }) };
}

async function stop({ main, mongo }: Running): Promise<void> {
  main.kill('SIGKILL');
  // No drop of the database: where a process was killed in a transaction, mongod holds its locks for a minute.
  await mongo.close();
}

const running = useFixture('test', start, stop);

function childrenOf({ pid }: ChildProcess): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number) : [];
}

const lives = (pid: number): boolean => existsSync(`/proc/${pid}`);

/** Ingests this many events for a new endpoint. @returns their ids */
async function sendEvents(count: number): Promise<number[]> {
  const { caller } = running;
  const type = ownType();
  await caller.register({ url: receiver.url, events: [type] });
  return Promise.all(Array.from({ length: count }, async () => (await caller.ingest({ type })).id as number));
}

const numerically = (one: number, other: number): number => one - other;

it('each event is delivered once, and the metrics cover both processes', async () => {
  const ids = await sendEvents(40);
  await receiver.waitFor(40);

  expect(childrenOf(running.main)).toHaveLength(2);
  expect(receivedIds(receiver).toSorted(numerically)).toEqual(ids.toSorted(numerically));
  const metrics = await (await fetch(running.metricsUrl)).text();
  expect(metrics).toContain('everpost_events_ingested_total{result="accepted"} 40');
});

it('another process takes over from a killed one and sends its deliveries (claims and leases last 15 s)', async () => {
  const answer = holdAnswers(receiver);
  const ids = await sendEvents(8);
  await receiver.waitFor(8);
  const [killed] = childrenOf(running.main);

  process.kill(killed!, 'SIGKILL');
  const left = await eventually(
    () => Promise.resolve(childrenOf(running.main)),
    (pids) => pids.length === 2 && !pids.includes(killed!),
  );
  answer();

  for (const id of ids) await running.caller.untilEvent(id, 'delivered');
  expect(left).toHaveLength(2);
});

it('the metrics are there while a killed process is replaced, and tell when the last process started', async () => {
  const startTime = async (): Promise<number> => {
    const answer = await fetch(running.metricsUrl);
    expect(answer.status).toBe(200);
    return Number(/^process_start_time_seconds (\S+)$/m.exec(await answer.text())?.[1]);
  };
  // On a busy machine a process may answer too late: then the sum is refused.
  const untilAllAnswer = () =>
    eventually(
      async () => (await fetch(running.metricsUrl)).status,
      (status) => status === 200,
    );
  await untilAllAnswer();
  const before = await startTime();
  const [killed] = childrenOf(running.main);

  // It is asked for its metrics and never answers.
  process.kill(killed!, 'SIGSTOP');
  const asked = startTime();
  // The server reads requests in their order: it has the one above when it answers this one.
  expect((await fetch(new URL('/', running.metricsUrl))).status).toBe(404);
  process.kill(killed!, 'SIGKILL');
  await asked;
  await eventually(
    () => childrenOf(running.main),
    (pids) => pids.length === 2 && !pids.includes(killed!),
  );
  await untilAllAnswer();

  expect(await startTime()).toBeGreaterThan(before);
});

it('a stop waits for requests under way in every process, also if each is told twice, and leaves none behind', async () => {
  const answer = holdAnswers(receiver);
  const [id] = await sendEvents(1);
  await receiver.waitFor(1);
  const pids = childrenOf(running.main);
  const ended = once(running.main, 'exit');

  // npm passes on a Ctrl-C that the terminal has sent already, and systemd tells the processes of a service.
  const stopping = running.said('stopping');
  running.main.kill('SIGINT');
  await stopping;
  running.main.kill('SIGINT');
  for (const pid of pids) process.kill(pid, 'SIGTERM');
  answer();

  expect(await ended).toEqual([0, null]);
  expect(pids.filter(lives)).toEqual([]);
  const event = await running.mongo.db.collection<{ _id: number }>('events').findOne({ _id: id! });
  expect(event).toMatchObject({ destinations: [{ state: 'delivered', attempt_count: 1 }] });
});

it.each(['1', '2'])('a second command (PROCESSES=%s) on the same port ends with one line', async (PROCESSES) => {
  const { port } = new URL(running.url);
  const env = { ...process.env, ...running.env, PORT: port, PROCESSES, LOG_LEVEL: 'silent' };
  const second = spawn(process.execPath, [MAIN, 'api'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  for (const input of [second.stdout, second.stderr]) createInterface({ input }).on('line', (line) => lines.push(line));

  const [code] = await once(second, 'close');

  const line = `The API can't listen on port ${port} (PORT) of 127.0.0.1 (HOST): `;
  expect(lines).toEqual([expect.stringContaining(line)]);
  expect(lines[0]).toContain('EADDRINUSE');
  expect(code).toBe(1);
});

it('connections beyond MAX_CONNECTIONS of every process are closed and counted', async () => {
  const { hostname, port } = new URL(running.url);
  const sockets = Array.from({ length: 150 }, () => connect(Number(port), hostname).on('error', () => undefined));
  let count = 0;
  for (const socket of sockets) socket.once('close', () => (count += 1));

  await eventually(
    () => count,
    (refused) => refused >= 30,
  );

  const metrics = await (await fetch(running.metricsUrl)).text();
  for (const socket of sockets) socket.destroy();
  expect(metrics).toMatch(/^everpost_connections_refused_total ([3-9]\d|1\d\d)$/m);
});

it('child processes end with their parent, also when it is killed', async () => {
  const pids = childrenOf(running.main);

  running.main.kill('SIGKILL');

  const left = await eventually(
    () => Promise.resolve(pids.filter(lives)),
    (alive) => alive.length === 0,
  );
  expect(left).toEqual([]);
});

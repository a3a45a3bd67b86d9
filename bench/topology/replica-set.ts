import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient, type Document } from 'mongodb';
import { spawnServer, waitUntilHealthy, type ServerProcess } from '../../dev/server-process';
import { within } from './within';
import { lastingPort } from './lasting-port';

/** Three mongod processes that hold one record. */
export interface ReplicaSet {
  /** For the product and for operators: names all three. */
  readonly uri: string;
  readonly pids: () => readonly number[];
  /** `kill -9` of the primary. @returns its number, for `start` */
  killPrimary(): Promise<number>;
  start(member: number): Promise<void>;
  /** `kill -9` of all three at once. */
  killAll(): Promise<void>;
  /** Asks all three to end, like an operator. */
  stopAll(): Promise<void>;
  /** Starts those that do not run, and makes one the primary: by themselves they would wait for 5 s. */
  startAll(): Promise<void>;
  /** Asks all three to end, and restarts them with these environment variables from now on. */
  restartWith(env: Readonly<Record<string, string>>): Promise<void>;
  /** Whether all three run. */
  running(): boolean;
  /**
   * Keeps the secondaries from fetching the primary's writes, while all stay up and connected: no majority acknowledges
   * anything. @returns a function that lets them fetch again
   */
  haltSecondaries(): Promise<() => Promise<void>>;
  /** Makes a secondary the primary, whatever it lacks: what only the old one has is rolled back. */
  deposePrimary(): Promise<void>;
  /** Makes all write down now what they would within a minute. A member that can't may end. */
  checkpoint(): Promise<void>;
}

const NAME = 'everpost';
const MEMBERS = [0, 1, 2];
const HEALTHY_MS = 60_000;
const STOP_MS = 20_000;
/** Half of MongoDB's default, and still patient on a machine that is busy with everything else. */
const ELECTION_TIMEOUT_MS = 5_000;

/** @param folder holds each member's data */
export async function startReplicaSet(binary: string, folder: string): Promise<ReplicaSet> {
  const ports = [await lastingPort(), await lastingPort(), await lastingPort()];
  const hosts = ports.map((port) => `127.0.0.1:${port}`);
  const processes: (ServerProcess | undefined)[] = [];
  let variables: Readonly<Record<string, string>> = {};

  const start = async (member: number): Promise<void> => {
    const port = ports[member]!;
    const dataDir = join(folder, `member-${member}`);
    mkdirSync(dataDir, { recursive: true });
    const server = await spawnServer({
      binary,
      args: argumentsOf(dataDir, port),
      env: { ...process.env, ...variables },
      logFile: join(folder, '..', `mongod-${member}.log`),
      stopTimeoutMs: STOP_MS,
    });
    processes[member] = server;
    await waitUntilHealthy(server, 'mongod', async () => void (await ask(port, { ping: 1 })));
  };
  const primary = async (): Promise<number | undefined> => {
    const answers = await Promise.all(ports.map((port) => ask(port, { hello: 1 }).catch(() => undefined)));
    const found = answers.findIndex((answer) => answer?.['isWritablePrimary'] === true);
    return found < 0 ? undefined : found;
  };
  const awaitPrimary = async ({ candidate }: { candidate?: number } = {}): Promise<number> => {
    let found: number | undefined;
    await within(HEALTHY_MS, async () => {
      found = await primary();
      if (found !== undefined) return true;
      // It refuses until it sees the others.
      if (candidate !== undefined) await ask(ports[candidate]!, { replSetStepUp: 1 }).catch(() => undefined);
      return false;
    });
    if (found === undefined) throw new Error('the replica set has no primary');
    return found;
  };
  const running = (): ServerProcess[] => processes.filter((process) => process !== undefined);
  const isUp = (member: number): boolean => processes[member] !== undefined && processes[member].ended() === undefined;
  const stopAll = async (): Promise<void> => void (await Promise.all(running().map(({ stop }) => stop())));
  const startAll = async (): Promise<void> => {
    await Promise.all(MEMBERS.filter((member) => !isUp(member)).map(start));
    await awaitPrimary({ candidate: MEMBERS[0]! });
  };

  await Promise.all(MEMBERS.map(start));
  const members = hosts.map((host, _id) => ({ _id, host }));
  const settings = {
    electionTimeoutMillis: ELECTION_TIMEOUT_MS,
    heartbeatIntervalMillis: 1_000,
    // An elected primary starts at once, whatever it lacks.
    catchUpTimeoutMillis: 0,
  };
  await ask(ports[0]!, { replSetInitiate: { _id: NAME, members, settings } });
  await awaitPrimary();

  return {
    uri: `mongodb://${hosts.join(',')}/everpost?replicaSet=${NAME}`,
    pids: () => processes.flatMap((process) => (process ? [process.pid] : [])),
    async killPrimary() {
      const member = await awaitPrimary();
      await processes[member]!.kill();
      return member;
    },
    start,
    killAll: async () => void (await Promise.all(running().map(({ kill }) => kill()))),
    stopAll,
    startAll,
    async restartWith(env) {
      variables = env;
      await stopAll();
      await startAll();
    },
    running: () => MEMBERS.every(isUp),
    async haltSecondaries() {
      const first = await awaitPrimary();
      const others = ports.filter((_, member) => member !== first);
      await Promise.all(others.map(haltFetching));
      return async () => void (await Promise.all(others.map((port) => setFailPoint(port, 'off'))));
    },
    async deposePrimary() {
      const first = await awaitPrimary();
      const stepUp = (port: number) =>
        ask(port, { replSetStepUp: 1 }).then(
          () => true,
          () => false,
        );
      // One that lacks what the other has is not elected.
      const [next, last] = [1, 2].map((step) => ports[(first + step) % MEMBERS.length]!);
      const isDeposed = await within(HEALTHY_MS, async () => (await stepUp(next!)) || stepUp(last!));
      if (!isDeposed) throw new Error('no secondary could be made the primary');
    },
    async checkpoint() {
      await Promise.allSettled(MEMBERS.filter(isUp).map((member) => ask(ports[member]!, { fsync: 1 })));
    },
  };
}

/** A fail point of MongoDB: a secondary with it fetches nothing more. */
const HALTED = 'stopReplProducer';

function setFailPoint(port: number, mode: 'off' | 'alwaysOn'): Promise<Document> {
  return ask(port, { configureFailPoint: HALTED, mode });
}

/** Resolves when the member fetches nothing more: what it had under way has come. */
async function haltFetching(port: number): Promise<void> {
  const { count } = await setFailPoint(port, 'alwaysOn');
  await ask(port, { waitForFailPoint: HALTED, timesEntered: Number(count) + 1, maxTimeMS: 8_000 });
}

async function ask(port: number, command: Document): Promise<Document> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 2_000,
    connectTimeoutMS: 2_000,
    socketTimeoutMS: 10_000,
  });
  try {
    return await client.db('admin').command(command);
  } finally {
    await client.close();
  }
}

function argumentsOf(dataDir: string, port: number): string[] {
  return [
    ...['--dbpath', dataDir, '--bind_ip', '127.0.0.1', '--port', String(port), '--replSet', NAME],
    // Three of them share the machine with everything else.
    ...['--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '256'],
    ...['--nounixsocket', '--setParameter', 'diagnosticDataCollectionEnabled=false'],
    ...['--networkMessageCompressors', 'disabled', '--quiet'],
    // For the fail point that halts a secondary.
    ...['--setParameter', 'enableTestCommands=1'],
    // By default a primary that is asked to end would wait 15 s for its clients.
    ...['--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=100'],
  ];
}

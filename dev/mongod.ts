import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient, MongoServerError, type Document } from 'mongodb';
import { LocalStackError, withProgress, type Progress } from './messages';
import { onFreePorts, portTaken, usablePort } from './ports';
import { spawnServer, waitUntilHealthy, type ServerProcess } from './server-process';

export interface StartMongodOptions {
  readonly binary: string;
  /** The folder of the data and the log; created if missing. */
  readonly dataDir: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly onProgress: Progress;
}

/** A running mongod: the primary of its own single-node replica set. */
export interface RunningMongod extends ServerProcess {
  readonly uri: string;
  readonly port: number;
}

/** Transactions and change streams need a replica set, even with one member. */
const REPLICA_SET = 'everpost';

/** A checkpoint of a large cache on a slow disk takes a while; a kill would only cause a recovery at the next start. */
const STOP_TIMEOUT_MS = 30_000;

/** What a port is for, and its setting. */
const NAMES = ['MongoDB', 'MONGODB_PORT'] as const;

/** mongod's own exit codes. */
const EXIT_REASONS: Record<string, string> = {
  'exit code 14': 'its data can not be read; see the log',
  'exit code 48': 'its port is taken',
  'exit code 62':
    'its data was written by another version of MongoDB; use that version (MONGOD_BINARY) or another EVERPOST_DATA_DIR',
  'exit code 100': 'another mongod uses the same data folder',
};

/**
 * Starts mongod on 127.0.0.1 and waits until it is a writable primary. Can be repeated on the same data folder, also on
 * another port.
 *
 * @throws LocalStackError with one line that says what to do
 */
export async function startMongod(options: StartMongodOptions): Promise<RunningMongod> {
  return onFreePorts(async () => startOn(await usablePort(options.port, ...NAMES), options));
}

async function startOn(port: number, options: StartMongodOptions): Promise<RunningMongod> {
  const { binary, dataDir } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const logFile = join(dataDir, 'mongod.log');
  const args = mongodArguments(dataDir, port, logFile);
  const server = await spawnServer({ binary, args, logFile, stopTimeoutMs: STOP_TIMEOUT_MS });
  try {
    const ready = () => waitUntilHealthy(server, 'mongod', () => preparePrimary(port));
    await withProgress(options.onProgress, () => 'Starting mongod', ready);
  } catch (error) {
    await server.kill();
    const end = server.ended() ?? '';
    if (end === 'exit code 48') throw portTaken(port, ...NAMES);
    const known = EXIT_REASONS[end];
    if (known) throw new LocalStackError(`mongod did not start: ${known}. Log: ${logFile}`);
    throw new LocalStackError(`${(error as Error).message}. Log: ${logFile}`);
  }
  const uri = `mongodb://127.0.0.1:${port}/?replicaSet=${REPLICA_SET}&directConnection=true`;
  return { ...server, uri, port };
}

function mongodArguments(dataDir: string, port: number, logFile: string): string[] {
  return [
    ...['--dbpath', dataDir, '--bind_ip', '127.0.0.1', '--port', String(port), '--replSet', REPLICA_SET],
    // Small, because it shares the machine with everything else. Its default is half of the memory.
    ...['--wiredTigerCacheSizeGB', '0.5', '--oplogSize', '512'],
    // No socket file: one in /tmp would collide between stacks. No metrics recorder, which writes all the time.
    ...['--nounixsocket', '--setParameter', 'diagnosticDataCollectionEnabled=false'],
    // Compression is useless on loopback, and zlib leaked memory before 8.0.17 (CVE-2025-14847).
    ...['--networkMessageCompressors', 'disabled'],
    ...['--logpath', logFile, '--logappend'],
  ];
}

const ANSWER_TIMEOUT_MS = 2_000;

/**
 * Takes one step towards a writable primary on 127.0.0.1: initiates the replica set, or repairs its configuration if
 * the server moved to another port. Safe to repeat.
 *
 * @throws Error while there is no writable primary yet
 */
async function preparePrimary(port: number): Promise<void> {
  await withAdmin(port, async (admin) => {
    const hello = await admin({ hello: 1 });
    if (hello['isWritablePrimary'] === true) return;
    const host = `127.0.0.1:${port}`;
    const config = await admin({ replSetGetConfig: 1 }).then(
      (answer) => answer['config'] as ReplicaSetConfig,
      (error: unknown) => {
        if (isNotInitialised(error)) return undefined;
        throw error;
      },
    );
    if (!config) {
      await admin({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } });
    } else if (config.members.length !== 1 || config.members[0]?.host !== host) {
      const members = [{ ...config.members[0], _id: 0, host }];
      await admin({ replSetReconfig: { ...config, version: config.version + 1, members }, force: true });
    }
    throw new Error('it is not a writable primary yet');
  });
}

interface ReplicaSetConfig {
  readonly version: number;
  readonly members: readonly { readonly host: string }[];
}

async function withAdmin<T>(port: number, work: (admin: (command: Document) => Promise<Document>) => Promise<T>) {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: ANSWER_TIMEOUT_MS,
    connectTimeoutMS: ANSWER_TIMEOUT_MS,
    // Longer than an election: initiating and reconfiguring wait for one.
    socketTimeoutMS: 5 * ANSWER_TIMEOUT_MS,
  });
  try {
    const database = client.db('admin');
    return await work((command) => database.command(command));
  } finally {
    await client.close();
  }
}

function isNotInitialised(error: unknown): boolean {
  return error instanceof MongoServerError && error.codeName === 'NotYetInitialized';
}

import { spawn } from 'node:child_process';
import { mkdirSync, openSync, closeSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { LocalStackError, reasonOf } from './local-stack-error';

/** A server that runs as a child of this process. */
export interface ServerProcess {
  readonly pid: number;
  /** Resolves when the server has ended, with how it ended (`exit code 14`, `signal SIGKILL`). */
  readonly exited: Promise<string>;
  /** How the server ended, or `undefined` while it runs. */
  ended(): string | undefined;
  /** Asks it to end (SIGTERM), and ends it (SIGKILL) when it has not after a while. */
  stop(): Promise<void>;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** The last part of what it has written. */
  logTail(): string;
}

export interface SpawnServerOptions {
  readonly binary: string;
  readonly args: readonly string[];
  readonly logFile: string;
  /** Between the polite and the rude way of ending it. */
  readonly stopTimeoutMs: number;
  /** Told the process id at once, long before the server is healthy. */
  readonly onSpawn?: ((server: ServerProcess) => void) | undefined;
}

const LOG_TAIL_CHARACTERS = 32 * 1024;

/**
 * Starts a server in a process group of its own: a Ctrl-C in the terminal reaches us only, and we stop the
 * servers in order.
 *
 * @throws LocalStackError when the executable can't be started
 */
export async function spawnServer(options: SpawnServerOptions): Promise<ServerProcess> {
  mkdirSync(dirname(options.logFile), { recursive: true });
  const log = openSync(options.logFile, 'a', 0o600);
  const child = spawn(options.binary, options.args, { stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  let end: string | undefined;
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      end = signal ? `signal ${signal}` : `exit code ${code}`;
      resolve(end);
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) =>
      reject(new LocalStackError(`${options.binary} can't be started: ${reasonOf(error)}`)),
    );
  });

  async function stop() {
    if (end !== undefined) return;
    child.kill('SIGTERM');
    const rude = setTimeout(() => child.kill('SIGKILL'), options.stopTimeoutMs);
    await exited;
    clearTimeout(rude);
  }

  async function kill() {
    if (end !== undefined) return;
    child.kill('SIGKILL');
    await exited;
  }

  const logTail = () => readFileSync(options.logFile, 'utf8').slice(-LOG_TAIL_CHARACTERS);
  const server = { pid: child.pid!, exited, ended: () => end, stop, kill, logTail };
  options.onSpawn?.(server);
  return server;
}

/**
 * Asks again and again until the server answers.
 *
 * @param probe resolves when it is healthy, throws while it is not
 * @throws LocalStackError when the server ends, or the time does
 */
export async function waitUntilHealthy(
  server: ServerProcess,
  what: string,
  probe: () => Promise<void>,
  timeoutMs: number,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await probe();
    } catch (error) {
      const end = server.ended();
      if (end !== undefined) throw new LocalStackError(`${what} ended while it was starting (${end})`);
      if (Date.now() > deadline) {
        throw new LocalStackError(`${what} is not healthy after ${timeoutMs / 1_000} s: ${reasonOf(error)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

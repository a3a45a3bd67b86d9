import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { sleep } from '../src/platform/sleep';
import { LocalStackError, reasonOf, type Progress } from './messages';
import { endWithUs } from './reaper';

/**
 * A server that runs as a child of this process, and ends with it. We start servers ourselves, because the libraries
 * don't fit. Temporal's SDK gives a server five seconds, waits forever if its port is taken, and lets a Ctrl-C reach it
 * first. mongodb-memory-server finds no primary on a data folder that moved to another port, and moves by itself if the
 * port is taken (ADR 46).
 */
export interface ServerProcess {
  readonly pid: number;
  /** Resolves when the server has ended, with how it ended (`exit code 14`, `signal SIGKILL`). */
  readonly exited: Promise<string>;
  /** How the server ended, or `undefined` while it runs. */
  ended(): string | undefined;
  /** Asks it to end (SIGTERM), and kills it (SIGKILL) if it has not ended after a while. */
  stop(): Promise<void>;
  /** Kills it at once, like a crash. */
  kill(): Promise<void>;
  /** The end of its output since this start. */
  logTail(): string;
}

export interface SpawnServerOptions {
  readonly binary: string;
  readonly args: readonly string[];
  /** Begins anew at each start; the log of the start before is kept beside it, with `.1` at its end. */
  readonly logFile: string;
  /** The time between SIGTERM and SIGKILL. */
  readonly stopTimeoutMs: number;
  /** Its whole environment; ours by default. */
  readonly env?: NodeJS.ProcessEnv;
  /** The user and the group that it runs as; ours by default. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

const LOG_TAIL_CHARACTERS = 32 * 1024;

/**
 * Starts a server in its own process group: a Ctrl-C in the terminal reaches only this process, which stops the servers
 * in order.
 *
 * @throws LocalStackError when the executable can't be started
 */
export async function spawnServer(options: SpawnServerOptions): Promise<ServerProcess> {
  mkdirSync(dirname(options.logFile), { recursive: true });
  if (existsSync(options.logFile)) renameSync(options.logFile, `${options.logFile}.1`);
  const log = openSync(options.logFile, 'a', 0o600);
  const { binary, args, env, user } = options;
  const child = spawn(binary, args, { stdio: ['ignore', log, log], detached: true, ...(env && { env }), ...user });
  closeSync(log);
  endWithUs(child);
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
  return { pid: child.pid!, exited, ended: () => end, stop, kill, logTail };
}

const HEALTHY_TIMEOUT_MS = 60_000;

/**
 * Polls until the server answers.
 *
 * @param probe resolves when it is healthy, throws while it is not
 * @throws LocalStackError when the server ends, or after a minute
 */
export async function waitUntilHealthy(
  server: Pick<ServerProcess, 'ended'>,
  what: string,
  probe: () => Promise<void>,
): Promise<void> {
  const deadline = Date.now() + HEALTHY_TIMEOUT_MS;
  for (;;) {
    try {
      return await probe();
    } catch (error) {
      const end = server.ended();
      if (end !== undefined) throw new LocalStackError(`${what} ended while it was starting (${end})`);
      if (Date.now() > deadline) {
        throw new LocalStackError(`${what} is not healthy after ${HEALTHY_TIMEOUT_MS / 1_000} s: ${reasonOf(error)}`);
      }
      await sleep(50);
    }
  }
}

export interface SuperviseOptions<T> {
  /** Its name in messages. */
  readonly name: string;
  /** @param first the first start, for a restart on the same ports; undefined the first time */
  readonly start: (first?: T) => Promise<T>;
  readonly onProgress: Progress;
  /** For tests. */
  readonly firstDelayMs?: number;
}

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** A server that ran this long has recovered: the next failure starts with a short delay again. */
const RECOVERED_AFTER_MS = 60_000;

/**
 * Starts a server and keeps it running: deliveries wait while it is down and continue when it is back.
 *
 * @returns the first start, whose ports stay the same from then on, and what stops it permanently
 * @throws the error of the first `start`; later failures are reported and retried
 */
export async function supervise<T extends ServerProcess>(options: SuperviseOptions<T>) {
  const { name, start, onProgress, firstDelayMs = FIRST_DELAY_MS } = options;
  const first = await start();
  const stopped = new AbortController();
  let current = first;

  async function keepAlive() {
    let delayMs = firstDelayMs;
    let startedAt = Date.now();
    for (;;) {
      const end = await current.exited;
      if (stopped.signal.aborted) return;
      if (Date.now() - startedAt > RECOVERED_AFTER_MS) delayMs = firstDelayMs;
      onProgress(`${name} ended unexpectedly (${end}); starting it again. Deliveries wait meanwhile.`);
      for (let isUp = false; !isUp;) {
        await sleep(delayMs, stopped.signal);
        if (stopped.signal.aborted) return;
        delayMs = Math.min(delayMs * 2, MAX_DELAY_MS);
        try {
          startedAt = Date.now();
          current = await start(first);
          isUp = true;
          onProgress(`${name} runs again.`);
        } catch (error) {
          onProgress(`${name} did not start again: ${reasonOf(error)}. Retrying.`);
        }
      }
      // It was told to stop while it was starting.
      if (stopped.signal.aborted) await current.stop();
    }
  }

  const keeping = keepAlive();
  return {
    first,
    async stop(): Promise<void> {
      stopped.abort();
      await current.stop();
      await keeping;
    },
  };
}

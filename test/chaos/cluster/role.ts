import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { endWithUs } from '../../../dev/reaper';
import type { Role } from '../../../src/processes/start-role';
import { pass } from '../waiting';

/** Far longer than a start takes: a process that is not ready then never will be. */
const START_LIMIT_MS = 300_000;

/** An API or a worker that can be killed and started again in its place. */
export interface RoleSlot {
  readonly name: string;
  readonly logFile: string;
  pid(): number;
  /** Of the present process. */
  metricsUrl(): string;
  running(): boolean;
  /** Resolves when it is ready. */
  start(changes?: RoleChanges): Promise<void>;
  /** `kill -9`; resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGTERM: it drains, and ends. */
  stop(): Promise<void>;
  /** Stops it, and starts it in its place. */
  restart(changes?: RoleChanges): Promise<void>;
}

/** How one start differs from the ordinary one. */
export interface RoleChanges {
  readonly role?: Role;
  readonly env?: Readonly<Record<string, string>>;
  /** Another build of the product. */
  readonly build?: string;
}

export interface RoleOptions {
  readonly role: Role;
  readonly name: string;
  readonly build: string;
  /** Scripts, compiled: the role's own, and what is loaded before it. */
  readonly script: string;
  readonly preload: string;
  readonly timing: object;
  /** Of the next start. */
  readonly env: () => Readonly<Record<string, string>>;
  readonly logFile: string;
}

export function createRoleSlot(options: RoleOptions): RoleSlot {
  const { name, script, preload, timing, logFile } = options;
  let child: ChildProcess | undefined;
  let gone: Promise<void> = Promise.resolve();
  let metricsUrl = '';
  const end = (signal: NodeJS.Signals) => async (): Promise<void> => {
    child?.kill(signal);
    await gone;
  };
  const slot: RoleSlot = {
    name,
    logFile,
    pid: () => child?.pid ?? 0,
    metricsUrl: () => metricsUrl,
    running: () => child !== undefined && child.exitCode === null && child.signalCode === null,
    async start({ env = {}, build = options.build, role = options.role } = {}) {
      const log = openSync(logFile, 'a');
      const started = spawn(process.execPath, ['--require', preload, script, build, role, JSON.stringify(timing)], {
        stdio: ['ignore', 'pipe', log],
        env: { PATH: '/usr/bin:/bin', HOME: '/tmp', ...options.env(), ...env },
      });
      closeSync(log);
      child = started;
      endWithUs(started);
      gone = new Promise<void>((resolve) => void started.once('exit', () => resolve()));
      const ready = new Promise<void>((resolve) => {
        createInterface({ input: started.stdout! }).once('line', (line) => {
          metricsUrl = (JSON.parse(line) as { metricsUrl?: string }).metricsUrl ?? '';
          resolve();
        });
      });
      const problem = await Promise.race([
        ready.then(() => undefined),
        gone.then(() => 'ended before it was ready'),
        pass(START_LIMIT_MS, `is not ready after ${START_LIMIT_MS / 1_000} s`, { ref: false }),
      ]);
      if (problem) throw new Error(`${name} ${problem}:\n${readFileSync(logFile, 'utf8').slice(-2_000)}`);
    },
    kill: end('SIGKILL'),
    stop: end('SIGTERM'),
    async restart(changes) {
      await slot.stop();
      await slot.start(changes);
    },
  };
  return slot;
}

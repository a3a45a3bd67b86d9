import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Role } from '../../src/processes/start-role';
import { eventually } from './eventually';

const ROOT = join(__dirname, '..', '..');

/** A process loads everything again, on a machine that may be busy. */
const START_PATIENCE_MS = 120_000;

/** An API or a worker in its own process, as an operator starts it. */
export interface RoleProcess {
  /** Address of an API. */
  readonly url: string | undefined;
  /** Its output so far. */
  log(): string;
  /** SIGTERM: it drains and ends. */
  stop(): Promise<void>;
  /** `kill -9`; does nothing if it has ended. */
  kill(): Promise<void>;
  /** SIGSTOP: it does nothing any more, and its connections stay open. */
  freeze(): void;
  /** It goes on. */
  thaw(): void;
}

/**
 * Starts a role of the built product, for tests of `breakage`. Resolves when it reports that it runs, and an API when it is
 * ready too: until then a call may get 503.
 *
 * @param settings its whole environment; it listens on free ports
 */
export async function startRoleProcess(role: Role, settings: Readonly<Record<string, string>>): Promise<RoleProcess> {
  const main = join(ROOT, 'dist', 'src', 'main.js');
  const env = { PATH: '/usr/bin:/bin', HOME: '/nonexistent', PORT: '0', METRICS_PORT: '0', ...settings };
  const child = spawn(process.execPath, [main, role], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += String(text)));
  // At 'exit' the last of its output may not have been read.
  const gone = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  const end = (signal: NodeJS.Signals) => async (): Promise<void> => {
    child.kill(signal);
    await gone;
  };
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  await eventually(
    () => said,
    (text) => text.includes('everpost started') || hasEnded(),
    START_PATIENCE_MS,
  ).catch(async (error: unknown) => {
    await end('SIGKILL')();
    throw error;
  });
  if (hasEnded()) {
    await gone;
    throw new Error(`the ${role} ended before it ran:\n${said}`);
  }
  const line = said.split('\n').find((text) => text.includes('everpost started'))!;
  const { url } = JSON.parse(line) as { url?: string };
  if (url !== undefined) {
    await eventually(
      () => fetch(`${url}/readyz`),
      ({ ok }) => ok,
      START_PATIENCE_MS,
    );
  }
  return {
    url,
    log: () => said,
    stop: end('SIGTERM'),
    kill: end('SIGKILL'),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  };
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../dev/ports';
import type { Language } from './languages';

/** A receiver of the documentation in a separate process. */
export interface ReceiverProcess {
  readonly port: number;
  readonly url: string;
  /** What it has printed. */
  output(): string;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;
const POLL_MS = 25;

/** Starts a receiver on a free port of loopback and waits until it takes connections. */
export async function startReceiver(
  language: Language,
  command: readonly string[],
  settings: { folder: string; env: Readonly<Record<string, string>> },
): Promise<ReceiverProcess> {
  const port = await freePort();
  const { child, output } = launch(language, command, { ...settings, port });
  const receiver: ReceiverProcess = {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    output,
    stop: () => stop(child),
  };
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
      await receiver.stop();
      throw new Error(`the receiver in ${language.name} did not start: ${output()}`);
    }
    await sleep(POLL_MS);
  }
  return receiver;
}

/** Runs a receiver that is expected to refuse to start: its exit code and what it printed. */
export async function runReceiver(
  language: Language,
  command: readonly string[],
  settings: { folder: string; env: Readonly<Record<string, string>> },
): Promise<{ code: number | null; output: string }> {
  const { child, output } = launch(language, command, { ...settings, port: await freePort() });
  const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
  await once(child, 'close');
  clearTimeout(timer);
  return { code: child.exitCode, output: output() };
}

function launch(
  language: Language,
  command: readonly string[],
  { folder, env, port }: { folder: string; env: Readonly<Record<string, string>>; port: number },
): { child: ChildProcess; output: () => string } {
  const args = language.args?.(port) ?? [String(port)];
  const [program, ...first] = command;
  const child = spawn(program!, [...first, ...args], {
    cwd: folder,
    // TMPDIR: what a receiver keeps between requests is gone with the test.
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? folder, TMPDIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.on('error', (error) => (printed += error.message));
  return { child, output: () => printed };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (accepted: boolean) => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
  });
}

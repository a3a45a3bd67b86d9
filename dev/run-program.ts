import { spawn } from 'node:child_process';

/** How a program ended. */
export interface ProgramResult {
  /** `null` when it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunProgramOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
  /** Ends the program, and whatever it started, when aborted. */
  readonly signal?: AbortSignal;
}

/** Enough to read the reason of a failure from its end. */
const KEPT_CHARACTERS = 64 * 1024;

/**
 * Runs a program to its end and keeps what it printed. A failing program is a result, not an error.
 *
 * @throws the system's error (`ENOENT`, `EACCES`) when it can't be started
 */
export function runProgram(
  file: string,
  args: readonly string[],
  options: RunProgramOptions = {},
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    // Its own process group: what it starts is ended with it.
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env: options.env });
    const kept = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8');
      child[name].on('data', (text: string) => (kept[name] = (kept[name] + text).slice(-KEPT_CHARACTERS)));
    }
    const end = () => killGroup(child.pid);
    const timer = options.timeoutMs === undefined ? undefined : setTimeout(end, options.timeoutMs);
    options.signal?.addEventListener('abort', end);
    const settle = () => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', end);
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('close', (code) => {
      settle();
      resolve({ code, ...kept });
    });
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

import { execFile, type ExecFileOptions } from 'node:child_process';

/** How a program ended. */
export interface ProgramResult {
  /** `null` when it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * Runs a program to its end and keeps its output. A failing program is a result, not an error.
 *
 * @param options `timeout` in milliseconds, and `signal`: both kill it
 * @throws the system's error (`ENOENT`, `EACCES`) when it can't be started
 */
export function runProgram(
  file: string,
  args: readonly string[],
  options: Pick<ExecFileOptions, 'env' | 'timeout' | 'signal'> = {},
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const all = { ...options, killSignal: 'SIGKILL', maxBuffer: MAX_OUTPUT_BYTES } as const;
    const child = execFile(file, args, all, (error, stdout, stderr) => {
      if (error instanceof Error && child.pid === undefined) return reject(error);
      resolve({ code: child.exitCode, stdout, stderr });
    });
  });
}

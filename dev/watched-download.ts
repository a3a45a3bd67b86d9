import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { withProgress, type Progress } from './progress';
import { runProgram, type ProgramResult } from './run-program';

export interface WatchedDownload {
  readonly what: string;
  readonly file: string;
  readonly args: readonly string[];
  /** Where the program writes: its growth is the progress. */
  readonly folder: string;
  /** Give up after so long without growth. */
  readonly stallMs: number;
  readonly onProgress: Progress;
}

/** A download program's result, and whether it was ended because nothing came any more. */
export interface WatchedResult extends ProgramResult {
  readonly stalled: boolean;
}

const LOOK_EVERY_MS = 500;

/**
 * Runs a program that downloads into a folder, shows how much has come, and ends it when nothing comes any more:
 * a blackholed network must not hold `npm start` for minutes.
 */
export async function runWatchedDownload(download: WatchedDownload): Promise<WatchedResult> {
  const { folder, stallMs } = download;
  const stop = new AbortController();
  let bytes = 0;
  let grownAt = Date.now();
  const look = async () => {
    const now = await sizeOf(folder);
    if (now !== bytes) grownAt = Date.now();
    bytes = now;
    if (Date.now() - grownAt > stallMs) stop.abort();
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  try {
    const result = await withProgress(
      download.onProgress,
      () => `${download.what}: ${Math.round(bytes / 1e6)} MB`,
      () => runProgram(download.file, download.args, { signal: stop.signal }),
    );
    return { ...result, stalled: stop.signal.aborted };
  } finally {
    clearInterval(timer);
  }
}

/** Bytes below a folder; what disappears meanwhile counts nothing. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = entries.map(async (entry) => {
    if (!entry.isFile()) return 0;
    return stat(join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    );
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

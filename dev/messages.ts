/**
 * A failure of the local stack that its user can fix. `message` is one clear line that says how; it is printed without
 * a stack.
 */
export class LocalStackError extends Error {}

/** The first line of an unknown failure's message. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n')[0] ?? '';
}

/** Gets one line for the user who waits. */
export type Progress = (line: string) => void;

const FIRST_LINE_AFTER_MS = 1_000;
const NEXT_LINE_AFTER_MS = 5_000;

/**
 * Does the work, and prints what it does every few seconds once it has taken more than one: silence looks like a hang.
 *
 * @param describe what is being done now, e.g. `Downloading mongod: 12 MB`
 */
export async function withProgress<T>(
  onProgress: Progress,
  describe: () => string,
  work: () => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout;
  const say = () => {
    onProgress(`${describe()} …`);
    timer = setTimeout(say, NEXT_LINE_AFTER_MS);
  };
  timer = setTimeout(say, FIRST_LINE_AFTER_MS);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}

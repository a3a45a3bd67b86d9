/**
 * A failure of the local stack that its user can repair. `message` is one clear line that says how;
 * it is printed alone, without a stack.
 */
export class LocalStackError extends Error {}

/** The first line of what an unknown failure says. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n')[0] ?? '';
}

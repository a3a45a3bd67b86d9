/** The numbers from the first to the last, both included. */
export function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** Resolves when what has been decided has also been done; needs no timer. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

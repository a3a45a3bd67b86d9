/**
 * Does `work` for each item, at most `atOnce` at a time. A failure does not stop the others.
 *
 * @returns how many times `work` resolved to true
 */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<boolean>,
): Promise<number> {
  let done = 0;
  const queue = [...items];
  const lane = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      if (await work(item).catch(() => false)) done += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return done;
}

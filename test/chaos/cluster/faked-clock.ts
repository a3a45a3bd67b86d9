import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const NO_FAKETIME = 'libfaketime is not installed (Debian: apt-get install faketime)';

/** Where Debian and others put libfaketime; undefined where it is not installed. */
export function findFaketime(): string | undefined {
  const roots = ['/usr/lib', '/usr/local/lib', '/usr/lib64'];
  const folders = roots.flatMap((root) =>
    existsSync(root) ? [root, ...readdirSync(root).map((name) => join(root, name))] : [],
  );
  return folders.map((folder) => join(folder, 'faketime', 'libfaketime.so.1')).find((file) => existsSync(file));
}

/**
 * The environment of a process whose wall clock is off. Only that one: with libfaketime 0.9.10's "fix" of waits by the
 * monotonic clock each timed wait of mongod ends at once, and an idle mongod takes more than a processor.
 *
 * @param shift `+1h` or `-1h`
 */
export function fakedClock(library: string, shift: string) {
  return {
    LD_PRELOAD: library,
    FAKETIME: shift,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_FORCE_MONOTONIC_FIX: '0',
  };
}

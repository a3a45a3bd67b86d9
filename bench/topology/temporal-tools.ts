import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Compiles the Temporal server if this machine never did. @returns the folder; undefined where that can't be done */
export function findTemporalTools(root: string): string | undefined {
  const { status, stdout } = spawnSync(join(root, '.ci', 'temporal-tools'), {
    encoding: 'utf8',
    // It says there what is missing.
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status === 0) return stdout.trim();
  if (status === 3) return undefined;
  throw new Error(`.ci/temporal-tools ended with ${status}`);
}

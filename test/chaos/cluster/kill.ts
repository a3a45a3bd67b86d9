import { claimedAttempts, type ClaimedAttempt } from './claimed-attempts';
import type { RoleSlot } from './role';
import type { Stack } from './stack';

/** The moment at which something was killed: from before to after, and what was in flight by the record. */
export interface Kill {
  readonly from: number;
  readonly to: number;
  readonly claimed: readonly ClaimedAttempt[];
}

/** `kill -9` of these, at once. */
export async function kill({ mongo }: Pick<Stack, 'mongo'>, roles: readonly Pick<RoleSlot, 'kill'>[]): Promise<Kill> {
  const from = Date.now();
  await Promise.all(roles.map((role) => role.kill()));
  return { from, to: Date.now(), claimed: await claimedAttempts(mongo) };
}

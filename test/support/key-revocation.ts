import { createKeyStore } from '../../src/keys/key-store';
import { BY_COMMAND_LINE } from '../../src/domain/audit-actions';
import { apiClient, untilStatus } from './api-client';
import type { Stack } from './build-stack';

const SELF = '/api/v1/keys/self';

/** The promise: a revoked key is refused everywhere in under a second. */
export const PROMISED_MS = 1_000;

/** Revokes keys of a stack's accounts, and measures how long they are still accepted. */
export function revocationsOf(stack: Stack) {
  const statusOf = async (url: string, key: string): Promise<number> => (await apiClient(url, key).get(SELF)).status;
  const revoke = (keyId: string) => createKeyStore(stack.mongo.db).revoke(keyId, new Date(), BY_COMMAND_LINE);
  /** Uses a key until the instance has cached it. */
  const warm = async (url: string, key: string): Promise<void> => {
    for (let count = 0; count < 3; count += 1) expect(await statusOf(url, key)).toBe(200);
  };
  /**
   * Milliseconds from a revocation until the last accepted call was sent: later calls were refused. The time of the
   * answer is not included.
   */
  const takenForMs = async (url: string, key: string, revokedAt: number): Promise<number> => {
    let lastTaken = revokedAt;
    const ask = async () => {
      const sentAt = performance.now();
      const answer = await apiClient(url, key).get(SELF);
      if (answer.status === 200) lastTaken = sentAt;
      return answer;
    };
    await untilStatus(ask, 401);
    return lastTaken - revokedAt;
  };
  return {
    statusOf,
    revoke,
    warm,
    takenForMs,
    /** Revokes a key that the instances have cached. @returns the longest time that one of them still accepted it */
    async longestTakenMs(urls: readonly string[], { key, keyId }: { key: string; keyId: string }): Promise<number> {
      for (const url of urls) await warm(url, key);
      await revoke(keyId);
      const revokedAt = performance.now();
      return Math.max(...(await Promise.all(urls.map((url) => takenForMs(url, key, revokedAt)))));
    },
  };
}

import { sleep } from '../platform/sleep';
import type { RevocationNews } from './revocation-store';

/** Hears which keys ended. */
export interface RevocationFollower {
  /**
   * Called a few times a second: every revocation that was noted before `askedAt` was passed on.
   *
   * @param askedAt when the question was sent, by the clock that `followRevocations` was given
   */
  onCaughtUp(askedAt: number): void;
  /** These keys were revoked or deleted; undefined if it is unknown which, so that it may be any. */
  onRevoked(keyIds: readonly string[] | undefined): void;
  /** Revocations may be missing from now on, until it has caught up again. Called once for each break. */
  onBroken(error: unknown): void;
}

/** A quarter of what `MAX_SILENCE_MS` of the key cache and the promise of one second leave. */
const ASK_EVERY_MS = 250;

/**
 * Asks for revocations, four times a second until `close`.
 *
 * A change stream would make MongoDB read its whole oplog again for each process, every event of every account, to find
 * a revocation a day (ADR 61).
 */
export function followRevocations(
  newsAfter: (seen: string | undefined) => Promise<RevocationNews | null>,
  follower: RevocationFollower,
  now: () => number,
): { close(): Promise<void> } {
  const closing = new AbortController();
  let seen: string | undefined;
  let isBroken = false;
  const ask = async (): Promise<void> => {
    const askedAt = now();
    const news = await newsAfter(seen);
    if (news) follower.onRevoked(news.keyIds);
    seen = news?.latest ?? seen;
    isBroken = false;
    follower.onCaughtUp(askedAt);
  };
  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await ask().catch((error: unknown) => {
        if (!isBroken && !closing.signal.aborted) follower.onBroken(error);
        isBroken = true;
      });
      await sleep(ASK_EVERY_MS, closing.signal);
    }
  };
  const running = run();
  return {
    close: async () => {
      closing.abort();
      await running;
    },
  };
}

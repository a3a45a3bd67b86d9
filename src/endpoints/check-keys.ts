import { UnavailableError } from '../domain/errors';
import type { DataKeyStore } from '../payloads/data-key-store';
import { runPeriodically } from '../platform/periodic';
import type { Logger } from '../platform/logger';
import { RETRY_SECONDS, type SecretBox } from '../platform/secret-box';
import type { SealedStore } from './sealed-store';

/** Says whether the secrets and data keys in MongoDB belong to the keys of this process. */
export interface KeyCheck {
  /**
   * Called before something is sealed: a process of another installation's keys, or of a mistyped one, would seal what
   * no other process can open.
   *
   * @throws UnavailableError if there are sealed secrets and this process can open none of them
   */
  requireOurs(): Promise<void>;
}

/**
 * Compares the ids of the keys that signing secrets and data keys are sealed with to the ids of this process's keys. One in common is
 * enough: during a rotation, and after a key was lost, others may be left.
 */
export function createKeyCheck({
  sealed,
  dataKeys,
  secretBox,
}: {
  readonly sealed: Pick<SealedStore, 'keyIds'>;
  readonly dataKeys: Pick<DataKeyStore, 'keyIds'>;
  readonly secretBox: Pick<SecretBox, 'keyIds'>;
}): KeyCheck {
  return {
    async requireOurs() {
      const theirs = [...new Set((await Promise.all([sealed.keyIds(), dataKeys.keyIds()])).flat())];
      if (theirs.length === 0 || theirs.some((id) => secretBox.keyIds.includes(id))) return;
      throw new UnavailableError(
        'This server has another encryption key than the one that secrets are sealed with, so it seals nothing. Its ' +
          'operator has to set ENCRYPTION_KEY to the key of the other servers.',
        'encryption_key_missing',
        RETRY_SECONDS,
        `ENCRYPTION_KEY has the ids ${secretBox.keyIds.join(', ')}, and secrets are sealed with ${theirs.join(', ')}`,
      );
    },
  };
}

const CHECK_EVERY_MS = 2_000;

/**
 * Looks until the secrets in MongoDB belong to the keys of this process, and logs what is wrong. If stopped before
 * that, `fit` never resolves.
 */
export function awaitOurKeys(
  check: KeyCheck,
  logger: Logger,
): { readonly fit: Promise<void>; readonly isFit: () => boolean; stop(): void } {
  const stop = new AbortController();
  let isFit = false;
  let isTold = false;
  const fit = new Promise<void>((resolve) => {
    const failure = 'the ids of the encryption keys could not be compared yet';
    const looking = runPeriodically({ intervalMs: CHECK_EVERY_MS, logger, failure }, async () => {
      try {
        await check.requireOurs();
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
        if (!isTold) logger.error(`WRONG ENCRYPTION_KEY, so this process is not ready: ${error.logDetail}`);
        isTold = true;
        return;
      }
      isFit = true;
      resolve();
      stop.abort();
    });
    stop.signal.addEventListener('abort', () => void looking.close());
  });
  return { fit, isFit: () => isFit, stop: () => stop.abort() };
}

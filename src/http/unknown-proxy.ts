import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/logger';

/** Notices a proxy that `TRUSTED_PROXIES` does not name: all of its clients count as one. */
export interface UnknownProxyWatch {
  /** A peer that is not trusted said for whom it forwards. */
  note(peerAddress: string): void;
  /** Whether one was noticed in the last hour. */
  isThere(): boolean;
}

/** For everybody to read, so it names no address. */
export const UNKNOWN_PROXY =
  'Requests are forwarded by a proxy that TRUSTED_PROXIES does not name; the log says which. Its clients share one limit.';

/** Any client can send the header, so it is no flood of lines and no warning for ever. */
const HOLDS_MS = 3_600_000;

/** Says it in the log, once an hour at most. */
export function createUnknownProxyWatch({ logger, clock }: { logger: Logger; clock: Clock }): UnknownProxyWatch {
  let notedAt = Number.NEGATIVE_INFINITY;
  let saidAt = Number.NEGATIVE_INFINITY;
  return {
    note(peerAddress) {
      notedAt = clock();
      if (notedAt - saidAt < HOLDS_MS) return;
      saidAt = notedAt;
      logger.warn(
        { peer: peerAddress },
        'a peer that TRUSTED_PROXIES does not name says for whom it forwards: if it is your proxy, name it, or all of ' +
          'its clients share one limit of failed sign-ins and keys; if it is a client, nothing is wrong',
      );
    },
    isThere: () => clock() - notedAt < HOLDS_MS,
  };
}

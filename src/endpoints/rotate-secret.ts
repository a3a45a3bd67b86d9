import { ConflictError } from '../domain/errors';
import { applyChange, type WhichEndpoint } from './change-endpoint';
import type { EndpointDeps } from './create-endpoint';
import { openHeaders } from './sealed-options';
import type { RotationStore } from './rotation-store';
import type { Logger } from '../platform/logger';
import { runPeriodically, type Periodic } from '../platform/periodic';
import { findEndpoint } from './find-endpoints';
import type { Endpoint } from '../stores/endpoint-store';

/** How long both secrets are valid, unless the next one is activated earlier. */
const ROTATION_MS = 24 * 3_600_000;

/** When the next secret of a rotation replaces the present one. @param since when the rotation began */
export function activationTime(since: Date): Date {
  return new Date(since.getTime() + ROTATION_MS);
}

/** An endpoint's signing secrets in the clear. */
export interface RevealedSecrets {
  readonly secret: string;
  /** The next secret, during a rotation. */
  readonly nextSecret: string | null;
  /** When the next secret replaces the current one. */
  readonly activatesAt: Date | null;
}

type SecretDeps = Pick<EndpointDeps, 'endpoints' | 'accounts' | 'gates' | 'secretBox'>;

/**
 * Shows the signing secrets and the values of the static headers.
 *
 * @throws NotFoundError when the account has no such endpoint
 */
export async function revealSecret(
  deps: Pick<EndpointDeps, 'endpoints' | 'secretBox'>,
  { accountId, id }: { accountId: string; id: string },
): Promise<RevealedSecrets & { readonly headers: Record<string, string> | null }> {
  const endpoint = await findEndpoint(deps, accountId, id);
  return { ...secretsOf(deps, endpoint), headers: openHeaders(deps.secretBox, id, endpoint.options) };
}

/**
 * Starts a rotation: from the next attempt on, deliveries are signed with both secrets, so that receivers can switch at
 * any time until the next one is activated.
 *
 * @throws NotFoundError when the account has no such endpoint
 * @throws ConflictError during a rotation: receivers may rely on its secret already
 */
export async function rotateSecret(
  deps: SecretDeps & Pick<EndpointDeps, 'generateSecret' | 'keyCheck'>,
  which: WhichEndpoint,
): Promise<RevealedSecrets> {
  await deps.keyCheck.requireOurs();
  const next = deps.generateSecret();
  const endpoint = await applyChange(deps, which, 'secret.rotated', ({ _id, next_secret: underWay }) => {
    if (underWay) {
      throw new ConflictError(
        'A rotation is under way. Activate its secret first, or wait until it is activated automatically.',
        'rotation_under_way',
      );
    }
    return { set: { next_secret: deps.secretBox.seal(next, _id) }, stamp: 'next_secret_at' };
  });
  return secretsOf(deps, endpoint);
}

/**
 * Completes a rotation: from the next attempt on, the next secret is the only one.
 *
 * @throws NotFoundError when the account has no such endpoint
 * @throws ConflictError when no rotation is under way
 */
export async function activateSecret(deps: SecretDeps, which: WhichEndpoint): Promise<RevealedSecrets> {
  const endpoint = await applyChange(deps, which, 'secret.activated', ({ next_secret: next }) => {
    if (!next) {
      throw new ConflictError(
        'There is no next secret to activate. Start a rotation with POST …/secret/rotate.',
        'no_rotation',
      );
    }
    return { set: { secret: next }, unset: ['next_secret', 'next_secret_at'], stamp: 'secret_since' };
  });
  return secretsOf(deps, endpoint);
}

function secretsOf({ secretBox }: Pick<EndpointDeps, 'secretBox'>, endpoint: Endpoint): RevealedSecrets {
  const { _id, secret, next_secret: next, next_secret_at: since } = endpoint;
  return {
    secret: secretBox.open(secret, _id),
    nextSecret: next ? secretBox.open(next, _id) : null,
    activatesAt: since ? activationTime(since) : null,
  };
}

const CHECK_EVERY_MS = 5_000;

/**
 * Completes rotations of signing secrets when their time is over. Part of the worker role; safe in any number of
 * workers.
 */
export function endRotations({
  rotations,
  accounts,
  logger,
}: Pick<SecretDeps, 'accounts'> & { readonly rotations: RotationStore; readonly logger: Logger }): Periodic {
  const failure = 'rotations of signing secrets could not be ended; the next look tries again';
  return runPeriodically({ intervalMs: CHECK_EVERY_MS, logger, failure }, async () => {
    for (let it = await rotations.activateNext(ROTATION_MS); it; it = await rotations.activateNext(ROTATION_MS)) {
      await accounts.bumpEndpointsVersion(it.account_id);
      logger.info({ endpoint_id: it._id }, 'ended the rotation of a signing secret');
    }
  });
}

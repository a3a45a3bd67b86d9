import { randomBytes } from 'node:crypto';
import { BY_SYSTEM } from '../domain/audit-actions';
import { hostOf, receiverOf } from '../domain/destination-url';
import { AppError, TooManyRequestsError } from '../domain/errors';
import type { DeliveryBudget } from '../limits/delivery-budget';
import type { Logger } from '../platform/logger';
import type { TryCounter, TryLimit } from '../users/try-count-store';
import { applyChange } from './change-endpoint';
import { findEndpoint } from './find-endpoints';
import type { HostVerifier, VerificationAccess } from './host-verification';
import type { Endpoint, Verification } from '../stores/endpoint-store';

/** What sending a challenge needs. */
export interface VerifierDeps {
  /** Sends a challenge, signed like every delivery. */
  readonly sendChallenge: (endpoint: Endpoint, challenge: string) => Promise<ChallengeAnswer>;
  readonly budget: Pick<DeliveryBudget, 'takeRetry'>;
  /** Counts challenges for all processes together. */
  readonly tries: Pick<TryCounter, 'count'>;
  /** The database's clock. */
  readonly now: () => Promise<Date>;
  readonly logger: Logger;
}

/** The host's answer, or the failure. */
export interface ChallengeAnswer {
  /** Whether the status was 2xx. */
  readonly succeeded: boolean;
  /** What followed the status; null without a status. */
  readonly received: ChallengeBody | null;
  /** What went wrong; null if nothing did. */
  readonly error: string | null;
}

/** What arrived of the body of the answer. */
interface ChallengeBody {
  readonly snippet: string;
  /** Whether the body is longer than the snippet. */
  readonly isCut: boolean;
  /** What was odd about the answer; null if nothing was. */
  readonly warning: string | null;
}

const CHALLENGE_BYTES = 24;
/** Challenges of one endpoint to one host, and of all endpoints and accounts to it: it has not agreed to any yet. */
const PER_ENDPOINT: TryLimit = { tries: 5, windowMs: 60_000 };
const PER_HOST: TryLimit = { tries: 60, windowMs: 60_000 };

/** Verifies hosts with a challenge, which the host must send back. */
export function createHostVerifier(deps: VerifierDeps): HostVerifier {
  const ask = (access: VerificationAccess, endpoint: Endpoint) => askHost(deps, access, endpoint);
  return {
    ask,
    begin(access, endpoint) {
      if (endpoint.verification?.state !== 'unverified') return;
      ask(access, endpoint).catch((error: unknown) => {
        if (!(error instanceof AppError)) {
          deps.logger.warn(
            { err: error, endpoint_id: endpoint._id },
            'a challenge was not sent; the owner can request another',
          );
        }
      });
    },
  };
}

/**
 * Sends another challenge to the host of an endpoint, unless it is verified, or hosts need not be verified.
 *
 * @throws NotFoundError when the account has no such endpoint
 * @throws TooManyRequestsError when the account's deliveries of the minute are used up, or the host got too many
 *   challenges in this minute
 */
export async function verifyEndpoint(
  deps: VerificationAccess & { readonly verifier?: HostVerifier | undefined },
  { accountId, id }: { accountId: string; id: string },
): Promise<Endpoint> {
  const endpoint = await findEndpoint(deps, accountId, id);
  return deps.verifier && endpoint.verification?.state === 'unverified' ? deps.verifier.ask(deps, endpoint) : endpoint;
}

async function askHost(
  { sendChallenge, budget, tries, now }: VerifierDeps,
  access: VerificationAccess,
  endpoint: Endpoint,
): Promise<Endpoint> {
  const { _id: id, account_id: accountId } = endpoint;
  const host = hostOf(endpoint.url);
  const receiver = receiverOf(endpoint.url);
  await requirePace(tries, `challenge ${id} ${receiver}`, PER_ENDPOINT);
  await requirePace(tries, `challenge ${receiver}`, PER_HOST);
  await budget.takeRetry(accountId);
  const askedAt = await now();
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
  const answer = await sendChallenge(endpoint, challenge);
  const error = problemOf(answer, challenge);
  const mark: Verification = { host, state: error === null ? 'verified' : 'unverified', asked_at: askedAt, error };
  const note = (each: string) =>
    // An endpoint verified meanwhile stays so, and one that moved is not the one that got the challenge.
    applyChange(access, { ...BY_SYSTEM, accountId, id: each }, 'endpoint.challenged', ({ verification: it }) =>
      it?.state === 'unverified' && it.host === host ? { set: { verification: mark } } : undefined,
    );
  const asked = await note(id);
  if (error === null) {
    const others = (await access.endpoints.listByAccount(accountId)).filter(({ _id }) => _id !== id);
    for (const { _id, verification } of others) if (verification?.host === host) await note(_id);
  }
  return asked;
}

/** @throws TooManyRequestsError when there were too many challenges in this minute */
async function requirePace(tries: VerifierDeps['tries'], what: string, limit: TryLimit): Promise<void> {
  const waitSeconds = await tries.count(what, limit);
  if (waitSeconds === 0) return;
  throw new TooManyRequestsError(
    `This host got ${limit.tries} challenges in a minute and has not agreed to deliveries. Try again in ${waitSeconds} s.`,
    'challenge_limit_exceeded',
    waitSeconds,
  );
}

/** @returns null for a correct answer */
function problemOf({ succeeded, received, error }: ChallengeAnswer, challenge: string): string | null {
  if (!succeeded || !received) return error ?? 'The answer was not a 2xx status.';
  const { snippet, isCut, warning } = received;
  if (echoOf(snippet.trim()) === challenge) return null;
  const expected = 'It must be the challenge alone, as text or as {"challenge": "…"}.';
  if (isCut) return `The status was 2xx, and the body was longer than 1 KiB. ${expected}`;
  if (warning !== null) return `The status was 2xx, and the challenge was not in what arrived of the body. ${warning}`;
  return 'The status was 2xx, and the body was not the challenge: neither as text nor as {"challenge": "…"}.';
}

function echoOf(body: string): unknown {
  if (!body.startsWith('{')) return body;
  try {
    return (JSON.parse(body) as { challenge?: unknown }).challenge;
  } catch {
    return undefined;
  }
}

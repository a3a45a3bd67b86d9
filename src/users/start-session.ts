import { createHash, randomBytes } from 'node:crypto';
import { newId } from '../platform/ids';
import type { User } from './user-store';
import type { SessionStore } from './session-store';

/** The client of a session. */
export interface Client {
  readonly address: string;
  readonly userAgent: string;
}

const MAX_USER_AGENT_LENGTH = 300;

/** The hash by which a session is looked up: SHA-256 of its token, hexadecimal. */
export function hashSessionToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * Starts a session, always under a new token: a token that the browser sent never becomes valid (session fixation).
 *
 * @returns its id, and the token, which is not stored
 */
export async function startSession(
  deps: { sessions: SessionStore },
  user: User,
  client: Client,
): Promise<{ id: string; token: string }> {
  const token = randomBytes(32).toString('base64url');
  const id = newId('ses');
  await deps.sessions.insert({
    _id: id,
    hash: hashSessionToken(token),
    user_id: user._id,
    account_id: user.account_id,
    address: client.address,
    user_agent: client.userAgent.slice(0, MAX_USER_AGENT_LENGTH),
  });
  return { id, token };
}

import { z } from 'zod';
import { accountNotFound } from '../accounts/manage-accounts';
import { NotFoundError } from '../domain/errors';
import { idParam } from '../http/route';
import { keyNotFound } from '../keys/manage-keys';

const ID = '_[0-9a-z]{26}$';

/** The path of one account. */
export const accountParams = { account_id: idParam(z.string().regex(new RegExp(`^acc${ID}`)), accountNotFound) };

/** The path of one key. */
export const keyParams = { key_id: idParam(z.string().regex(new RegExp(`^key${ID}`)), keyNotFound) };

/** The path of one session. */
export const sessionParams = { session_id: idParam(z.string().regex(new RegExp(`^ses${ID}`)), sessionNotFound) };

/** The error for a session that does not exist or is another user's. */
export function sessionNotFound(): NotFoundError {
  return new NotFoundError('There is no session with this id.', 'session_not_found');
}

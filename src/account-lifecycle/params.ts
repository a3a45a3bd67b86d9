import { z } from 'zod';
import { accountNotFound } from '../accounts/manage-accounts';
import { EXTERNAL_ID_RULE, isExternalAccountId, isOwnAccountId } from '../domain/external-id';
import { InvalidRequestError } from '../domain/errors';
import type { PathParam } from '../http/route';

const schema = z.string().meta({
  description: 'The id that you chose for the account, or ours (`acc_…`).',
  example: 'cus_42',
  pattern: '^[A-Za-z0-9_.:@-]{1,128}$',
});

/** The path of one account. */
export const accountParams = {
  external_id: {
    schema,
    read(text) {
      if (!isOwnAccountId(text) && !isExternalAccountId(text)) throw accountNotFound(text);
      return text;
    },
  },
} as const satisfies Record<string, PathParam<string>>;

/** The path of an account that may not exist yet. */
export const newAccountParams = {
  external_id: {
    schema,
    read(text) {
      if (isOwnAccountId(text) || isExternalAccountId(text)) return text;
      const detail = { path: 'external_id', message: EXTERNAL_ID_RULE };
      throw new InvalidRequestError(`"external_id" ${EXTERNAL_ID_RULE}.`, 'invalid_request', [detail]);
    },
  },
} as const satisfies Record<string, PathParam<string>>;

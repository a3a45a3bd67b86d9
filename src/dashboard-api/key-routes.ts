import { addRoute } from '../http/operation';
import { keyParams } from './params';
import type { RouteApi } from '../http/route';
import { createKey, revokeKey, type KeyDeps } from '../keys/manage-keys';
import { presentOwnKey } from './present';
import { createKeyBody, keyListView } from './schema';

const PATH = '/dashboard/api/keys';
/** The most revoked and expired keys in the list: as many as a page of any other list. */
const MAX_ENDED = 100;

/** Adds the operations on the account's API keys. */
export function addKeyRoutes(api: RouteApi, deps: KeyDeps): void {
  // The account's active keys and its newest revoked or expired ones, newest first. `calls` and `last_used_at` lag by some
  // seconds.
  addRoute(api, { id: 'listKeys', method: 'get', path: PATH, answer: keyListView }, async ({ caller }) => {
    const { keys, hasMore } = await deps.keys.listNewest(caller.accountId, MAX_ENDED);
    return { keys: keys.map(presentOwnKey), has_more: hasMore };
  });

  // Only this answer shows the key. Its scopes and its expiry never change; without them it has all scopes, forever.
  addRoute(
    api,
    { id: 'createKey', method: 'post', path: PATH, body: createKeyBody, recordsItself: true },
    async ({ body, caller, ctx }) => {
      const { product, label, scopes, expires_in: expiresIn } = body;
      const { accountId, actor, address } = caller;
      const input = {
        accountId,
        product,
        label,
        ...(scopes && { scopes }),
        ...(expiresIn !== undefined && { expiresIn }),
      };
      const { record, key } = await createKey(deps, input, { actor, address });
      ctx.status = 201;
      return { ...presentOwnKey(record), key };
    },
  );

  // Permanent: every process refuses the key in under a second.
  addRoute(
    api,
    { id: 'revokeKey', method: 'delete', path: `${PATH}/{key_id}`, params: keyParams, recordsItself: true },
    async ({ params, caller }) => {
      const { accountId, actor, address } = caller;
      const revoked = await revokeKey(deps, { id: params.key_id, accountId }, { actor, address });
      return presentOwnKey(revoked);
    },
  );
}

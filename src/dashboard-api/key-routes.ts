import { z } from 'zod';
import { addOperation, type Api } from '../http/operation';
import { readBody } from '../http/read-body';
import { createKey, listKeys, revokeKey, type KeyDeps } from '../keys/manage-keys';
import { presentOwnKey } from './present';
import { createdKeyView, createKeyBody, keyListView, keyView } from './schema';

const PATH = '/dashboard/api/keys';

/** Adds the operations on the account's API keys. */
export function addKeyRoutes(api: Api, deps: KeyDeps): void {
  addOperation(
    api,
    {
      id: 'listKeys',
      method: 'get',
      path: PATH,
      tag: 'Keys',
      summary: 'List keys',
      description:
        "The account's keys, newest first, revoked ones included. `calls` and `last_used_at` lag by some seconds.",
      answers: { 200: { description: 'The keys.', schema: keyListView } },
    },
    async (ctx) => {
      const keys = await listKeys(deps, ctx.state.caller.accountId);
      ctx.body = { keys: keys.reverse().map(presentOwnKey) };
    },
  );

  addOperation(
    api,
    {
      id: 'createKey',
      method: 'post',
      path: PATH,
      tag: 'Keys',
      summary: 'Create a key',
      description:
        'The answer is the only one that shows the key. Its scopes and its expiry are for its whole life; without them it ' +
        'holds all scopes, forever.',
      body: createKeyBody,
      answers: { 201: { description: 'The key.', schema: createdKeyView } },
      recordsItself: true,
    },
    async (ctx) => {
      const { product, label, scopes, expires_in: expiresIn } = (await readBody(ctx, createKeyBody)).value;
      const { accountId, actor, address } = ctx.state.caller;
      const input = {
        accountId,
        product,
        label,
        ...(scopes && { scopes }),
        ...(expiresIn !== undefined && { expiresIn }),
      };
      const { record, key } = await createKey(deps, input, { actor, address });
      ctx.status = 201;
      ctx.body = { ...presentOwnKey(record), key };
    },
  );

  addOperation(
    api,
    {
      id: 'revokeKey',
      method: 'delete',
      path: `${PATH}/{key_id}`,
      tag: 'Keys',
      summary: 'Revoke a key',
      description: 'For good; every process refuses it in under a second.',
      params: { key_id: z.string() },
      answers: { 200: { description: 'The revoked key.', schema: keyView } },
      errors: { 404: 'The account has no such key.' },
      recordsItself: true,
    },
    async (ctx) => {
      const { accountId, actor, address } = ctx.state.caller;
      const revoked = await revokeKey(deps, { id: ctx.params['key_id'] ?? '', accountId }, { actor, address });
      ctx.body = presentOwnKey(revoked);
    },
  );
}

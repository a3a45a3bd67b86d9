import { addRoute } from '../http/operation';
import type { RouteApi } from '../http/route';
import { createManagementKey, revokeManagementKey, type ManagementKeyDeps } from '../keys/manage-management-keys';
import { MAX_LISTED } from '../keys/key-store';
import { keyParams } from './params';
import { presentOwnManagementKey } from './present';
import { requireOperator } from './require-session';
import { createManagementKeyBody, managementKeyListView } from './schema';

const PATH = '/dashboard/api/management-keys';

/** Adds the operators' operations on the keys of the installation. Each change is in the operators' log. */
export function addManagementKeyRoutes(api: RouteApi, deps: ManagementKeyDeps): void {
  // The newest keys, newest first. `calls` and `last_used_at` lag by some seconds.
  addRoute(
    api,
    { id: 'listManagementKeys', method: 'get', path: PATH, guard: requireOperator, answer: managementKeyListView },
    async () => {
      const keys = await deps.managementKeys.list();
      return { keys: keys.map(presentOwnManagementKey), has_more: keys.length >= MAX_LISTED };
    },
  );

  // Only this answer shows the key. Its scopes and its expiry never change; without them it has all scopes, forever.
  addRoute(
    api,
    {
      id: 'createManagementKey',
      method: 'post',
      path: PATH,
      guard: requireOperator,
      body: createManagementKeyBody,
      recordsItself: true,
    },
    async ({ body: { label, scopes, expires_in: expiresIn }, caller: { actor, address }, ctx }) => {
      const input = { label, ...(scopes && { scopes }), ...(expiresIn !== undefined && { expiresIn }) };
      const { record, key } = await createManagementKey(deps, input, { actor, address });
      ctx.status = 201;
      return { ...presentOwnManagementKey(record), key };
    },
  );

  // Permanent: every process refuses the key in under a second.
  addRoute(
    api,
    {
      id: 'revokeManagementKey',
      method: 'delete',
      path: `${PATH}/{key_id}`,
      params: keyParams,
      guard: requireOperator,
      recordsItself: true,
    },
    async ({ params, caller: { actor, address } }) =>
      presentOwnManagementKey(await revokeManagementKey(deps, params.key_id, { actor, address })),
  );
}

import type Router from '@koa/router';
import { z } from 'zod';
import type { AccountStore } from '../accounts/store';
import { PRODUCT_PREFIXES } from '../domain/api-key';
import type { RequestState } from '../http/request-state';

/** The answer of GET /api/v1/keys/self. */
export const keySelfView = z.object({
  product: z.enum(PRODUCT_PREFIXES),
  label: z.string(),
  account_id: z.string(),
  tier: z.string(),
});

/** Adds the validity check that works with a key of any product. */
export function addKeyRoutes(router: Router<RequestState>, deps: { accounts: Pick<AccountStore, 'find'> }): void {
  router.get('/api/v1/keys/self', async (ctx) => {
    const { product, label, account_id } = ctx.state.key;
    const account = await deps.accounts.find(account_id);
    ctx.body = { product, label, account_id, tier: account?.tier ?? 'free' };
  });
}

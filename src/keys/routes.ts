import { z } from 'zod';
import { PRODUCT_PREFIXES } from '../domain/api-key';
import { addOperation, EXAMPLE_ID, type Api } from '../http/operation';
import { describeKey } from './describe-key';

/** The answer of GET /api/v1/keys/self. */
const keySelfView = z.object({
  product: z.enum(PRODUCT_PREFIXES),
  label: z.string(),
  account_id: z.string(),
  tier: z.string(),
});

const KEY_EXAMPLE = { product: 'weh', label: 'production', account_id: `acc_${EXAMPLE_ID}`, tier: 'free' };

/** Adds the validity check that works with a key of any product. */
export function addKeyRoutes(api: Api, deps: Parameters<typeof describeKey>[0]): void {
  addOperation(
    api,
    {
      id: 'getOwnKey',
      method: 'get',
      path: '/api/v1/keys/self',
      tag: 'Keys',
      summary: 'Check a key',
      description: 'Whose key this is. Works with a key of any product.',
      answers: { 200: { description: 'The key is valid.', schema: keySelfView, example: KEY_EXAMPLE } },
    },
    async (ctx) => {
      ctx.body = await describeKey(deps, ctx.state.key);
    },
  );
}

import { z } from 'zod';
import { PRODUCT_PREFIXES } from '../domain/api-key';
import { MANAGEMENT_SCOPE_NAMES } from '../domain/scopes';
import { addOperation } from '../http/operation';
import { EXAMPLE_ID, type Api } from '../http/route';
import { describeKey } from './manage-keys';

/** The answer of GET /api/v1/keys/self. */
const keySelfView = z
  .object({
    product: z
      .enum(PRODUCT_PREFIXES)
      .meta({ id: 'Product' })
      .nullable()
      .meta({ description: 'Null for a management key.' }),
    label: z.string(),
    account_id: z.string().nullable().meta({ description: 'Null for a management key that acts for none.' }),
    tier: z.string().nullable(),
    scopes: z
      .array(z.enum(MANAGEMENT_SCOPE_NAMES).meta({ id: 'Scope' }))
      .meta({ description: 'The scopes of the key; empty for a key of another product.' }),
    expires_at: z.iso.datetime().nullable().meta({ description: 'When the key expires; null if it never does.' }),
  })
  .meta({ id: 'ApiKey' });

const KEY_EXAMPLE = {
  product: 'weh',
  label: 'production',
  account_id: `acc_${EXAMPLE_ID}`,
  tier: 'free',
  scopes: ['events:write', 'events:read'],
  expires_at: '2027-02-21T12:00:00.000Z',
};

/** Adds the operation that describes the calling key, of any product. */
export function addKeyRoutes(api: Api, deps: Parameters<typeof describeKey>[0]): void {
  addOperation(
    api,
    {
      id: 'getOwnKey',
      method: 'get',
      path: '/api/v1/keys/self',
      scopes: [],
      tag: { name: 'Keys', description: 'Validity of API keys.' },
      summary: 'Check a key',
      description:
        'The account and the scopes of the calling key. Works with a key of any product, and with a management key that ' +
        'acts for an account, whatever its scopes.',
      answers: { 200: { description: 'The key is valid.', schema: keySelfView, example: KEY_EXAMPLE } },
    },
    ({ ctx, caller }) => {
      const { product, actor, scopes, account, expiresAt } = ctx.state.credential;
      const accountId = account === undefined ? undefined : caller.accountId;
      return describeKey(deps, { accountId, product, label: actor.name, scopes, expiresAt });
    },
  );
}

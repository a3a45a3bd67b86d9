import { z } from 'zod';
import { PRODUCT_PREFIXES, type Product } from '../domain/api-key';
import { SCOPE_NAMES, scopesOf, type Scope } from '../domain/scopes';
import { addOperation, EXAMPLE_ID, type Api } from '../http/operation';
import type { AccountStore } from '../accounts/account-store';
import type { ApiKey } from '../domain/api-key-record';

/** The answer of GET /api/v1/keys/self. */
const keySelfView = z
  .object({
    product: z.enum(PRODUCT_PREFIXES).meta({ id: 'Product' }),
    label: z.string(),
    account_id: z.string(),
    tier: z.string(),
    scopes: z
      .array(z.enum(SCOPE_NAMES).meta({ id: 'Scope' }))
      .meta({ description: 'What it may do; empty for a key of another product.' }),
    expires_at: z.iso.datetime().nullable().meta({ description: 'From then on it is refused; null is never.' }),
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

/** Adds the validity check that works with a key of any product. */
export function addKeyRoutes(api: Api, deps: Parameters<typeof describeKey>[0]): void {
  addOperation(
    api,
    {
      id: 'getOwnKey',
      method: 'get',
      path: '/api/v1/keys/self',
      scopes: [],
      tag: 'Keys',
      summary: 'Check a key',
      description: 'Whose key this is and what it may do. Works with a key of any product, whatever its scopes.',
      answers: { 200: { description: 'The key is valid.', schema: keySelfView, example: KEY_EXAMPLE } },
    },
    async (ctx) => {
      ctx.body = await describeKey(deps, ctx.state.key);
    },
  );
}

/** What the holder of a key may know about it. */
export interface KeyDescription {
  readonly product: Product;
  readonly label: string;
  readonly account_id: string;
  /** Tier id of its account. */
  readonly tier: string;
  readonly scopes: readonly Scope[];
  /** ISO 8601; null for a key that never expires. */
  readonly expires_at: string | null;
}

/** Describes a key that was authenticated. */
export async function describeKey(
  deps: { accounts: Pick<AccountStore, 'find'> },
  key: ApiKey,
): Promise<KeyDescription> {
  const account = await deps.accounts.find(key.account_id);
  return {
    product: key.product,
    label: key.label,
    account_id: key.account_id,
    tier: account?.tier ?? 'free',
    scopes: scopesOf(key),
    expires_at: key.expires_at?.toISOString() ?? null,
  };
}

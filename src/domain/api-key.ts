/** The six products, by the prefix that their keys carry (docs/spec.md, "Authentication"). */
export const PRODUCTS = {
  weh: 'Webhook Reliability',
  sec: 'Secrets Leak Detection',
  pii: 'PII Scrubbing',
  dep: 'Deployment Risk Score',
  rat: 'Distributed Rate Limiting',
  api: 'API Health Monitor',
} as const;

export type Product = keyof typeof PRODUCTS;

export const PRODUCT_PREFIXES = Object.keys(PRODUCTS) as Product[];

/** Published for secret scanners: what a leaked key looks like. */
export const API_KEY_PATTERN = /^svc_live_(weh|sec|pii|dep|rat|api)_([0-9a-f]{32})$/;

/**
 * Puts a key together.
 *
 * @param randomHex 32 lower-case hexadecimal digits (128 random bits)
 */
export function formatApiKey(product: Product, randomHex: string): string {
  return `svc_live_${product}_${randomHex}`;
}

/** The product a well-formed key belongs to; `undefined` for anything else. */
export function productOfApiKey(key: string): Product | undefined {
  return API_KEY_PATTERN.exec(key)?.[1] as Product | undefined;
}

/** The product that a path of the key-scoped API belongs to; `undefined` where any key will do. */
export function productOfPath(path: string): Product | undefined {
  return /^\/api\/v1\/webhooks(\/|$)/.test(path) ? 'weh' : undefined;
}

/** What may be shown of a key after its creation: `svc_live_weh_…4f2a`. */
export function maskApiKey(key: string): string {
  return `${key.slice(0, 'svc_live_xxx_'.length)}…${key.slice(-4)}`;
}

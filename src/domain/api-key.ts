/** The six products, by the prefix of their keys (docs/spec.md, "Authentication"). */
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

/** The format of a key, published for secret scanners. */
export const API_KEY_PATTERN = /^svc_live_(weh|sec|pii|dep|rat|api)_([0-9a-f]{32})$/;

/** The format of a management key, published for secret scanners. */
export const MANAGEMENT_KEY_PATTERN = /^svc_admin_[0-9a-f]{32}$/;

/** Formats a management key. @param randomHex 32 lower-case hexadecimal digits (128 random bits) */
export function formatManagementKey(randomHex: string): string {
  return `svc_admin_${randomHex}`;
}

/**
 * Formats a key.
 *
 * @param randomHex 32 lower-case hexadecimal digits (128 random bits)
 */
export function formatApiKey(product: Product, randomHex: string): string {
  return `svc_live_${product}_${randomHex}`;
}

/** The product of a well-formed key; `undefined` for anything else. */
export function productOfApiKey(key: string): Product | undefined {
  return API_KEY_PATTERN.exec(key)?.[1] as Product | undefined;
}

/** The product of a path of the API with keys; `undefined` if a key of any product works. */
export function productOfPath(path: string): Product | undefined {
  return /^\/api\/v1\/webhooks(\/|$)/.test(path) ? 'weh' : undefined;
}

/** The part of a key that is shown after its creation: `svc_live_weh_…4f2a`. */
export function maskApiKey(key: string): string {
  return `${key.slice(0, key.lastIndexOf('_') + 1)}…${key.slice(-4)}`;
}

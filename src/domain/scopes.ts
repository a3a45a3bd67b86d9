import type { Product } from './api-key';

/** What a key of Webhook Reliability may do, with the descriptions that users see. */
export const SCOPES = {
  'events:write': 'Send events',
  'events:read': 'Read events and deliveries',
  'endpoints:read': 'Read endpoints',
  'endpoints:write': 'Register and change endpoints',
  'secrets:read': 'Reveal signing secrets and header values',
  'deliveries:write': 'Retry, cancel and replay deliveries',
  'usage:read': 'Read usage and limits',
} as const;

export type Scope = keyof typeof SCOPES;

/** In the order in which they are shown. */
export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[];

/** Whether a text is a scope. */
export function isScope(text: string): text is Scope {
  return Object.hasOwn(SCOPES, text);
}

/** The scopes of a key: those it was created with, or all of its product. Other products have none. */
export function scopesOf({ product, scopes }: { product: Product; scopes?: readonly Scope[] }): readonly Scope[] {
  return product === 'weh' ? (scopes ?? SCOPE_NAMES) : [];
}

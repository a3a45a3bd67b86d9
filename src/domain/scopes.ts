import type { Product } from './api-key';

/** What a key of Webhook Reliability can be allowed to do, and how people read it. */
export const SCOPES = {
  'events:write': 'Send events',
  'events:read': 'Read events and deliveries',
  'endpoints:read': 'Read endpoints',
  'endpoints:write': 'Register and change endpoints',
  'secrets:read': 'Reveal signing secrets',
  'deliveries:write': 'Retry, cancel and replay deliveries',
} as const;

export type Scope = keyof typeof SCOPES;

/** In the order in which they are shown everywhere. */
export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[];

/** Tells a scope from any other text. */
export function isScope(text: string): text is Scope {
  return Object.hasOwn(SCOPES, text);
}

/** The scopes that a key holds: those it was created with, or all of its product. Other products have none. */
export function scopesOf({ product, scopes }: { product: Product; scopes?: readonly Scope[] }): readonly Scope[] {
  return product === 'weh' ? (scopes ?? SCOPE_NAMES) : [];
}

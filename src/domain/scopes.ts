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

/** What only a management key may do, which belongs to the installation: without an account, or for one. */
export const INSTALLATION_SCOPES = {
  'accounts:read': 'Read accounts and their usage',
  'accounts:write': 'Create, change and delete accounts',
  'portal:write': 'Open the portal for a customer',
  'event-types:write': 'Change the catalog of event types',
  'data:erase': 'Erase the data of events',
} as const;

/** A scope of a key of Webhook Reliability. */
export type ProductScope = keyof typeof SCOPES;

export type Scope = ProductScope | keyof typeof INSTALLATION_SCOPES;

/** The scopes of an account's keys, in the order in which they are shown. */
export const SCOPE_NAMES = Object.keys(SCOPES) as ProductScope[];

/** The scopes of management keys, in the order in which they are shown. */
export const MANAGEMENT_SCOPE_NAMES = [...SCOPE_NAMES, ...Object.keys(INSTALLATION_SCOPES)] as Scope[];

/** Whether only a management key can have all of these scopes. */
export function areOfManagement(scopes: readonly Scope[]): boolean {
  return scopes.some((scope) => scope in INSTALLATION_SCOPES);
}

/** What a signed-in user may do in the own account: what its keys may, and erase data. */
export const SESSION_SCOPES: readonly Scope[] = [...SCOPE_NAMES, 'data:erase'];

/** The scopes of an account's key: those it was created with, or all of its product. Other products have none. */
export function scopesOf({ product, scopes }: { product: Product; scopes?: readonly Scope[] }): readonly Scope[] {
  return product === 'weh' ? (scopes ?? SCOPE_NAMES) : [];
}

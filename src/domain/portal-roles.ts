import type { ProductScope } from './scopes';

/** What each role of the customer portal may do. A role is a name for a set of scopes, so nothing else decides. */
export const PORTAL_ROLES = {
  viewer: ['events:read', 'endpoints:read'],
  // `events:write` is for test events: a portal session can't ingest, because ingest is for keys only.
  manager: ['events:read', 'endpoints:read', 'endpoints:write', 'secrets:read', 'events:write', 'deliveries:write'],
} as const satisfies Readonly<Record<string, readonly ProductScope[]>>;

export type PortalRole = keyof typeof PORTAL_ROLES;

export const PORTAL_ROLE_NAMES = Object.keys(PORTAL_ROLES) as PortalRole[];

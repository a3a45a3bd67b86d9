import type { PortalRole } from '../../src/domain/portal-roles';
import { createPortalSessionStore } from '../../src/portal/portal-session-store';
import { FIRST_PAGE, startPortalSession, type StartedPortalSession } from '../../src/portal/start-portal-session';
import type { Mongo } from '../../src/platform/mongo';

interface PortalOptions {
  readonly role?: PortalRole;
  readonly subject?: string;
  readonly page?: string;
  readonly lifetimeSeconds?: number;
}

/** Starts a session of the portal for an account, with the function that the API uses. A manager by default. */
export function buildPortalSession(
  { db }: Mongo,
  accountId: string,
  { role = 'manager', subject, page = FIRST_PAGE, lifetimeSeconds = 3_600 }: PortalOptions = {},
): Promise<StartedPortalSession> {
  return startPortalSession(
    { portalSessions: createPortalSessionStore(db) },
    { accountId, role, subject, page, lifetimeSeconds, createdBy: { type: 'system', id: null, name: 'test' } },
  );
}

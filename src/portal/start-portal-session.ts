import type { Actor } from '../domain/audit-actions';
import type { PortalRole } from '../domain/portal-roles';
import { newId } from '../platform/ids';
import { hashSecret, newCode, newToken, sealToken } from './portal-secrets';
import type { PortalSessionStore } from './portal-session-store';

/** What a session of the portal is for. */
export interface PortalSessionInput {
  readonly accountId: string;
  readonly role: PortalRole;
  readonly subject: string | undefined;
  readonly lifetimeSeconds: number;
  readonly page: string;
  readonly createdBy: Actor;
}

/** A session that was started. Nothing else ever shows its token and its code. */
export interface StartedPortalSession {
  readonly id: string;
  readonly token: string;
  readonly code: string;
  readonly endsAt: Date;
}

/** An hour: as long as a visit of a page of settings. */
export const DEFAULT_LIFETIME_SECONDS = 3_600;
/** Where a visit begins unless the platform says otherwise. */
export const FIRST_PAGE = '/endpoints';

/** Starts a session of the portal, under a new token and a new code. */
export async function startPortalSession(
  { portalSessions }: { readonly portalSessions: PortalSessionStore },
  input: PortalSessionInput,
): Promise<StartedPortalSession> {
  const id = newId('pse');
  const token = newToken();
  const code = newCode();
  const stored = await portalSessions.insert(
    {
      _id: id,
      account_id: input.accountId,
      role: input.role,
      subject: input.subject ?? null,
      page: input.page,
      token_hash: hashSecret(token),
      code_hash: hashSecret(code),
      sealed_token: sealToken(token, code, id),
      created_by: input.createdBy,
    },
    input.lifetimeSeconds * 1_000,
  );
  return { id, token, code, endsAt: stored.ends_at };
}

/** The address that opens the portal. @param base the URL under which browsers reach this server, or nothing */
export function portalUrl(base: string, { code }: StartedPortalSession): string {
  return `${base}/portal#${code}`;
}

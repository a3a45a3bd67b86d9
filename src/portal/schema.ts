import { z } from 'zod';
import { PORTAL_ROLE_NAMES } from '../domain/portal-roles';
import { SCOPE_NAMES } from '../domain/scopes';

const time = z.iso.datetime();

/** The swap of a code. Malformed codes get the same answer as unknown ones. */
export const codeBody = z.strictObject({ code: z.string().max(100, 'must have at most 100 characters') });

/** Who uses the portal, and what the pages need to know. */
export const portalMeView = z.object({
  role: z.enum(PORTAL_ROLE_NAMES),
  subject: z.string().nullable(),
  scopes: z.array(z.enum(SCOPE_NAMES)).readonly(),
  account: z.object({
    id: z.string(),
    name: z.string().nullable(),
    search_fields: z.array(z.string()).readonly(),
  }),
  retry_schedule: z.array(z.number()),
  expires_at: time,
});

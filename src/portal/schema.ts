import { z } from 'zod';
import { PLAIN_LINE } from '../domain/plain-text';
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

const MAX_LIFETIME_SECONDS = 86_400;

/** Body of POST /api/v1/accounts/{external_id}/portal-sessions. */
export const portalSessionBody = z
  .strictObject({
    role: z
      .enum(PORTAL_ROLE_NAMES, `must be one of ${PORTAL_ROLE_NAMES.join(', ')}`)
      .meta({ description: 'A `viewer` reads. A `manager` also changes endpoints, sends test events and replays.' }),
    subject: z
      .string()
      .min(1, 'must not be empty')
      .max(128, 'must have at most 128 characters')
      .regex(PLAIN_LINE, 'must be one line of text')
      .optional()
      .meta({ description: 'Who it is, in your words: the audit log names it.', example: 'user_42' }),
    expires_in_s: z
      .int('must be a whole number')
      .min(60, 'must be at least 60')
      .max(MAX_LIFETIME_SECONDS, `must be at most ${MAX_LIFETIME_SECONDS}`)
      .default(3_600)
      .meta({ description: 'How long the session lasts, in seconds.' }),
    page: z
      .string()
      .max(500, 'must have at most 500 characters')
      // Of the portal alone: nothing in it can lead elsewhere.
      .regex(
        /^\/(endpoints|find|events|event-types|replays)([/?](?!.*\.\.)[\w\-./?=&%~:@!$*+,;]*)?$/,
        'must be a page of the portal such as /endpoints, /find?rows=deliveries or /events/42',
      )
      .default('/endpoints')
      .meta({ description: 'The first page.', example: '/endpoints' }),
  })
  .meta({ id: 'PortalSessionInput' });

/** The only answer that has the token. */
export const portalSessionView = z
  .object({
    url: z.string().meta({
      description: 'Opens the portal: send the browser there, or frame it. Valid for a minute; never store it.',
    }),
    token: z.string().meta({ description: 'For a portal of your own: `Authorization: Bearer …` from a browser.' }),
    expires_at: time,
  })
  .meta({ id: 'PortalSession' });

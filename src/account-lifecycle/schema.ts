import { z } from 'zod';
import { ACCOUNT_STATUSES } from '../accounts/account-store';
import { EVENT_TYPE_MODES } from '../domain/event-type-modes';
import { NOT_PLAIN, PLAIN_TEXT } from '../domain/plain-text';
import { MAX_SEARCH_FIELDS, SEARCH_FIELD_PATTERN } from '../domain/search-values';
import { MAX_ENDPOINTS } from '../domain/tiers';
import { bodyShape } from '../endpoints/option-values-schema';
import { listQuery, nextCursor } from '../http/list-query';
import { metadataOf } from '../http/metadata-schema';
import { retentionDays } from '../http/retention-schema';

const MAX_NAME_LENGTH = 200;
const MAX_EMAIL_LENGTH = 254;
const MAX_TIER_LENGTH = 100;

const name = z
  .string()
  .min(1, 'must not be empty')
  .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`)
  .regex(PLAIN_TEXT, NOT_PLAIN)
  // The database would silently store a replacement character for it.
  .refine((text) => !/\p{Surrogate}/u.test(text), 'must not contain half a surrogate pair');

const email = z.string().max(MAX_EMAIL_LENGTH, `must have at most ${MAX_EMAIL_LENGTH} characters`);
const metadata = metadataOf('It is shown with the account.');

/** The names of fields of `data` by which events are found. */
export const searchFields = z
  .array(z.string().regex(new RegExp(SEARCH_FIELD_PATTERN), 'must be 1 to 64 letters, digits, "_" or "-"'))
  .max(MAX_SEARCH_FIELDS, `must have at most ${MAX_SEARCH_FIELDS} fields`)
  .refine((fields) => new Set(fields).size === fields.length, 'must not name a field twice');

const number = (least: number, most: number, description: string) =>
  z
    .int(`must be a whole number from ${least} to ${most}`)
    .min(least, `must be a whole number from ${least} to ${most}`)
    .max(most, `must be a whole number from ${least} to ${most}`)
    .optional()
    .meta({ description });

const MOST = 1_000_000_000;

const ownLimits = z
  .strictObject({
    per_minute: number(1, MOST, 'Calls in a minute.'),
    monthly_quota: z
      .int(`must be null or a whole number from 0 to ${MOST}`)
      .min(0, `must be null or a whole number from 0 to ${MOST}`)
      .max(MOST, `must be null or a whole number from 0 to ${MOST}`)
      .nullable()
      .optional()
      .meta({ description: 'Calls in a calendar month (UTC); null is unlimited.' }),
    endpoints: number(0, MAX_ENDPOINTS, 'The most endpoints.'),
    deliveries_per_minute: number(1, MOST, 'Deliveries in a minute.'),
    pending_deliveries: number(1, MOST, 'The most unfinished deliveries at a time.'),
  })
  .meta({
    id: 'AccountLimits',
    description: 'Limits in place of those of the tier. An absent one is that of the tier.',
  });

const eventTypes = z
  .enum(EVENT_TYPE_MODES, `must be one of ${EVENT_TYPE_MODES.join(', ')}`)
  .meta({ id: 'EventTypeMode' });

const DEFAULT_BODY = 'The shape of bodies for endpoints without `options.body`; absent: `envelope`.';

const defaults = z
  .strictObject({ body: bodyShape.optional().meta({ description: DEFAULT_BODY }) })
  .meta({ id: 'AccountDefaults', description: 'What applies to endpoints that do not say otherwise.' });

/** Body of PUT /api/v1/accounts/{external_id}: absent fields stay as they are. */
export const putAccountBody = z
  .strictObject({
    name: name
      .nullable()
      .optional()
      .meta({ description: 'Shown to operators; null removes it.', example: 'Acme Inc.' }),
    email: email.nullable().optional().meta({
      description: 'Unique, if given; null removes it. The portal needs none.',
      example: 'ops@acme.example',
    }),
    tier: z
      .string()
      .max(MAX_TIER_LENGTH)
      .optional()
      .meta({ description: 'Id of a tier. A new account without one gets that of `ACCOUNTS_DEFAULT_TIER`.' }),
    limits: ownLimits.nullable().optional().meta({ description: 'Replaces all own limits; null removes them.' }),
    search_fields: searchFields
      .optional()
      .meta({ description: 'Fields of `data` by which events are found, for events from now on.' }),
    defaults: defaults
      .nullable()
      .optional()
      .meta({ description: 'Replaces all defaults, for events from now on; null removes them.' }),
    event_types: eventTypes
      .nullable()
      .optional()
      .meta({
        description:
          'What happens to events of types that the catalog does not know, or with data that does not match the schema: ' +
          '`warn` marks them, `strict` refuses them. null is the `EVENT_TYPES` of the installation.',
      }),
    retention_days: retentionDays
      .nullable()
      .optional()
      .meta({
        description:
          'For how many days events are kept after their last delivery finished, for events from now on: at most as long ' +
          'as the installation keeps events, which null stands for.',
        example: 7,
      }),
    metadata: metadata.nullable().optional(),
    status: z
      .enum(['active', 'suspended'])
      .optional()
      .meta({ description: '`suspended` stops its calls and holds its deliveries, `active` resumes them.' }),
  })
  .meta({ id: 'AccountChange' });

export type PutAccountBody = z.output<typeof putAccountBody>;

const limitsView = z
  .object({
    per_minute: z.int().optional(),
    monthly_quota: z.int().nullable().optional(),
    endpoints: z.int().optional(),
    deliveries_per_minute: z.int().optional(),
    pending_deliveries: z.int().optional(),
  })
  .meta({ id: 'OwnLimits', description: 'The limits of its own; the others are those of its tier.' });

/** An account in the API. */
export const accountView = z
  .object({
    id: z.string(),
    external_id: z.string().nullable().meta({ description: 'Null for an account that was not created by the API.' }),
    name: z.string().nullable(),
    email: z.string().nullable(),
    tier: z.string(),
    limits: limitsView,
    search_fields: z.array(z.string()).readonly(),
    defaults: z
      .object({ body: bodyShape.optional().meta({ description: DEFAULT_BODY }) })
      .meta({ id: 'OwnDefaults', description: 'Those of its own.' }),
    event_types: eventTypes
      .nullable()
      .meta({ description: 'Its own mode of checks; null is that of the installation.' }),
    retention_days: z
      .int()
      .nullable()
      .meta({ description: 'For how many days its finished events are kept; null: as the installation keeps them.' }),
    metadata: z.record(z.string(), z.string()),
    status: z.enum(ACCOUNT_STATUSES).meta({
      id: 'AccountStatus',
      description: '`deleting` until everything that it owns is erased; then there is no such account.',
    }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Account' });

const DEFAULT_PAGE = 50;

/** Query of GET /api/v1/accounts. */
export const accountListQuery = listQuery(DEFAULT_PAGE).extend({
  status: z.enum(ACCOUNT_STATUSES).optional().meta({ description: 'Only accounts with this status.' }),
});

export const accountListView = z
  .object({ accounts: z.array(accountView), next_cursor: nextCursor })
  .meta({ id: 'AccountList' });

const DAY_RULE = 'must be a day such as 2026-11-21';
const day = z.iso.date(DAY_RULE);
const MAX_USAGE_DAYS = 62;
const DAY_MS = 86_400_000;

/** Query of GET /api/v1/accounts/usage. */
export const accountUsageQuery = listQuery(DEFAULT_PAGE)
  .extend({
    limit: listQuery(DEFAULT_PAGE).shape.limit.meta({ description: 'The most accounts on the page; 50 by default.' }),
    after: day.meta({ description: 'First day (UTC).', example: '2026-11-01' }),
    before: day.meta({
      description: 'The day after the last one; at most 62 days after the first.',
      example: '2026-12-01',
    }),
  })
  .refine(({ after, before }) => before > after, { path: ['before'], message: 'must be later than "after"' })
  .refine(({ after, before }) => Date.parse(before) - Date.parse(after) <= MAX_USAGE_DAYS * DAY_MS, {
    path: ['before'],
    message: `must be at most ${MAX_USAGE_DAYS} days after "after"`,
  });

export const accountUsageView = z
  .object({
    usage: z.array(
      z
        .object({
          account_id: z.string(),
          external_id: z.string().nullable(),
          day: z.iso.date(),
          events: z.int().meta({ description: 'Accepted events.' }),
          deliveries: z.int().meta({ description: 'Accepted deliveries: one for each event and endpoint.' }),
          attempts: z.int().meta({ description: 'Answered or failed attempts.' }),
          failed_attempts: z.int(),
          calls: z.int().meta({ description: 'Calls that count in the quota.' }),
        })
        .meta({ id: 'AccountDay' }),
    ),
    next_cursor: nextCursor,
  })
  .meta({ id: 'AccountUsage' });

export type AccountUsageQuery = z.output<typeof accountUsageQuery>;
export type AccountUsage = z.output<typeof accountUsageView>;

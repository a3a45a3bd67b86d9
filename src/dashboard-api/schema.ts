import { z } from 'zod';
import { AUDIT_ACTIONS } from '../domain/audit-actions';
import { PRODUCT_PREFIXES } from '../domain/api-key';
import { MANAGEMENT } from '../domain/api-key-record';
import { EVENT_STATUSES } from '../domain/delivery-state';
import { searchFields } from '../account-lifecycle/schema';
import { MANAGEMENT_SCOPE_NAMES, SCOPE_NAMES, SESSION_SCOPES, type Scope } from '../domain/scopes';
import { listQuery, timeParam } from '../http/list-query';
import { replaySelection } from '../replays/schema';

const time = z.iso.datetime();
const text = (maxLength: number) => z.string().max(maxLength, `must have at most ${maxLength} characters`);
/** Generous: the rules for passwords are checked elsewhere. */
const password = text(1_000);
const email = text(320);

export const credentialsBody = z.strictObject({ email, password });
export const setupBody = z.strictObject({ token: text(100), email, password });
export const passwordBody = z.strictObject({ current_password: password, new_password: password });
const newKey = <S extends Scope>(scopes: readonly S[]) => ({
  label: text(200),
  scopes: z.array(z.enum(scopes, `must be one of ${scopes.join(', ')}`)).optional(),
  /** A duration, as on the command line: `90d`. */
  expires_in: text(20).optional(),
});
export const createKeyBody = z.strictObject({
  product: z.enum(PRODUCT_PREFIXES, `must be one of ${PRODUCT_PREFIXES.join(', ')}`),
  ...newKey(SCOPE_NAMES),
});
export const createManagementKeyBody = z.strictObject(newKey(MANAGEMENT_SCOPE_NAMES));

export const statusView = z.object({ sign_up: z.boolean(), setup_needed: z.boolean(), users_exist: z.boolean() });

/** A tier, with its limits. */
export const tierView = z.object({
  id: z.string(),
  name: z.string(),
  monthly_quota: z.int().nullable(),
  per_minute: z.int(),
});

export const userView = z.object({
  id: z.string(),
  email: z.string(),
  role: z.literal('owner'),
  operator: z.boolean(),
});

export const meView = z.object({
  user: userView,
  /** Whether the account is another one than the user's, at which an operator looks. */
  is_view: z.boolean(),
  account: z.object({
    id: z.string(),
    external_id: z.string().nullable(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    tier: tierView,
    search_fields: z.array(z.string()).readonly(),
  }),
  /** What the session may do. */
  scopes: z.array(z.enum(SESSION_SCOPES)).readonly(),
  retry_schedule: z.array(z.number()),
  products: z.array(z.object({ prefix: z.enum(PRODUCT_PREFIXES), name: z.string() })),
  temporal_ui: z.object({ url: z.string(), namespace: z.string() }).nullable(),
});

export const sessionListView = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      created_at: time,
      last_seen_at: time,
      ends_at: time,
      address: z.string(),
      user_agent: z.string(),
      current: z.boolean(),
    }),
  ),
});

const keyView = z.object({
  id: z.string(),
  display: z.string(),
  product: z.enum(PRODUCT_PREFIXES),
  label: z.string(),
  account_id: z.string(),
  scopes: z.array(z.enum(SCOPE_NAMES)).readonly(),
  created_at: time,
  created_by: z.string().nullable().meta({ description: "Id of the user, or the operating system's user." }),
  expires_at: time.nullable(),
  last_used_at: time.nullable(),
  last_used_address: z.string().nullable(),
  revoked_at: time.nullable(),
  calls: z.int(),
});
/** All active keys, and the newest revoked or expired ones; `has_more` says whether there are older ones of these. */
export const keyListView = z.object({ keys: z.array(keyView), has_more: z.boolean() });
/** A key of the installation, which belongs to no account. */
const managementKeyView = keyView.extend({
  product: z.literal(MANAGEMENT),
  account_id: z.null(),
  scopes: z.array(z.enum(MANAGEMENT_SCOPE_NAMES)).readonly(),
});
/** The newest keys; `has_more` says whether there may be older ones. */
export const managementKeyListView = z.object({ keys: z.array(managementKeyView), has_more: z.boolean() });

const AUDIT_ACTION_RULE = 'must be an action of the audit log';
const auditFilter = {
  action: z.enum(AUDIT_ACTIONS, AUDIT_ACTION_RULE).optional(),
  account_id: text(40).optional(),
  actor: text(320).optional().meta({ description: 'Id or name of who did it.' }),
  object: text(100).optional().meta({ description: 'Id of what it happened to.' }),
  after: timeParam.optional().meta({ description: 'Only entries at or after this time.' }),
  before: timeParam.optional().meta({ description: 'Only what happened before.' }),
};
export const auditQuery = listQuery(50).extend(auditFilter);
export const auditExportQuery = z.strictObject(auditFilter);
export const auditListView = z.object({
  entries: z.array(
    z.object({
      id: z.string(),
      at: time,
      account_id: z.string().nullable(),
      actor: z.object({
        type: z.enum(['user', 'key', 'management_key', 'portal', 'cli', 'system']),
        id: z.string().nullable(),
        name: z.string(),
      }),
      action: z.enum(AUDIT_ACTIONS),
      object: z.string().nullable(),
      address: z.string().nullable(),
      detail: z.string().nullable(),
      changes: z.array(z.object({ field: z.string(), from: z.string().nullable(), to: z.string().nullable() })),
    }),
  ),
  next_cursor: z.string().nullable(),
});

/** The address that opens a portal, relative to this server. */
export const portalView = z.object({ url: z.string() });

export const eventTypesView = z.object({
  types: z.array(z.object({ type: z.string(), last_at: time })),
  /** False if the account may have more. */
  complete: z.boolean(),
});

/** The longest search value, written as `data.<field> = <value>`. */
const MAX_SEARCH_LENGTH = 400;
export const searchQuery = z.strictObject({ q: text(MAX_SEARCH_LENGTH).trim().min(1, 'must not be empty') });
export const searchView = z.object({
  /** By what the events were found, and that value: of `data`, a search value. */
  events: z.array(
    z.object({
      by: z.enum(['id', 'idempotency_key', 'data']),
      value: z.string(),
      found: z.array(z.object({ id: z.int(), type: z.string(), timestamp: z.int(), status: z.enum(EVENT_STATUSES) })),
      has_more: z.boolean(),
    }),
  ),
  endpoints: z.array(z.object({ id: z.string(), url: z.string(), description: z.string(), status: z.string() })),
  event_types: z.array(z.string()),
  search_fields: z.array(z.string()),
  /** The field that the text names, if events can't be found by it. */
  unknown_field: z.string().nullable(),
});

/** `replaces`: the fields that the form was opened with. */
export const searchFieldsBody = z.strictObject({ search_fields: searchFields, replaces: searchFields.optional() });
export const searchFieldsView = z.object({ search_fields: z.array(z.string()).readonly() });

const MAX_JOBS = 100;
const JOBS_RULE = `must be at most ${MAX_JOBS} ids of replays, separated by commas`;
export const replayOutcomesQuery = z.strictObject({
  job_ids: z
    .string()
    .regex(/^rpl_[0-9a-z]{26}(,rpl_[0-9a-z]{26})*$/, JOBS_RULE)
    .optional()
    .transform((ids) => ids?.split(',') ?? [])
    .refine((ids) => ids.length <= MAX_JOBS, JOBS_RULE),
});
export const replayOutcomesView = z.object({
  outcomes: z.array(
    z.object({ job_id: z.string(), delivered: z.int(), failed: z.int(), cancelled: z.int(), open: z.int() }),
  ),
});

export const replayPreviewQuery = replaySelection;
export const replayPreviewView = z.object({
  matched: z.int(),
  at_least: z.boolean(),
  endpoint_removed: z.int(),
  at_run_limit: z.int(),
  endpoint_failed: z.boolean().nullable(),
});

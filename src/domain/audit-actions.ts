/** The actions in the audit log: the noun, and what happened to it. */
export const AUDIT_ACTIONS = [
  'account.created',
  'account.changed',
  'account.tier_changed',
  'account.search_fields_changed',
  'account.suspended',
  'account.resumed',
  'account.deletion_started',
  'account.deleted',
  'user.created',
  'user.deleted',
  'user.operator_changed',
  'user.setup_link_created',
  'session.started',
  'session.refused',
  'session.ended',
  'session.revoked',
  'password.changed',
  'password.refused',
  'password.reset',
  'key.created',
  'key.revoked',
  'endpoint.created',
  'endpoint.changed',
  'endpoint.deleted',
  'endpoint.paused',
  'endpoint.resumed',
  'endpoint.disabled',
  'endpoint.tested',
  'endpoint.challenged',
  'endpoint.recovered',
  'endpoint.deliveries_cancelled',
  'secret.revealed',
  'secret.rotated',
  'secret.activated',
  'secrets.resealed',
  'event.replayed',
  'event.data_erased',
  'erasure.created',
  'delivery.created',
  'delivery.retried',
  'delivery.cancelled',
  'delivery.replayed',
  'replay.started',
  'replay.changed',
  'replay.cancelled',
  'event_type.created',
  'event_type.changed',
  'catalog.imported',
  'catalog.reset',
  'account.viewed',
  'portal.session_created',
  'audit.read',
  'accounts.read',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The author of an action. */
export interface Actor {
  readonly type: 'user' | 'key' | 'management_key' | 'portal' | 'cli' | 'system';
  /**
   * Id of the user or the key; the customer's user in the portal, or else its session; the name of the operating
   * system's user at the command line, if it has one; null for Everpost itself.
   */
  readonly id: string | null;
  /** The user's e-mail address, the key's label, or the customer's user in the portal. */
  readonly name: string;
}

/** The operator at the command line. */
const CLI_ACTOR: Actor = { type: 'cli', id: null, name: 'command line' };

/** A user as the author of an action. */
export function actorOf({ _id: id, email: name }: { readonly _id: string; readonly email: string }): Actor {
  return { type: 'user', id, name };
}

/** Everpost itself: it disables an endpoint that is gone, and ends a rotation when its time is over. */
const SYSTEM_ACTOR: Actor = { type: 'system', id: null, name: 'Everpost' };

/** The author of an action and where the request came from; the address is null for an action without a request. */
export interface By {
  readonly actor: Actor;
  readonly address: string | null;
}

export const BY_COMMAND_LINE: By = { actor: CLI_ACTOR, address: null };

/** @param osUser who runs the command, by the operating system */
export function byCommandLine(osUser: string): By {
  return { actor: { ...CLI_ACTOR, id: osUser }, address: null };
}

export const BY_SYSTEM: By = { actor: SYSTEM_ACTOR, address: null };

/** A changed field. Secrets have no values here, and a URL only its host. */
export interface FieldChange {
  readonly field: string;
  /** Absent if there was no value before, or if the value is not shown. */
  readonly from?: string;
  readonly to?: string;
}

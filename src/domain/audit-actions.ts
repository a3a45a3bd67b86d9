/** What the audit log knows: the noun, and what happened to it. */
export const AUDIT_ACTIONS = [
  'account.created',
  'account.tier_changed',
  'account.suspended',
  'account.resumed',
  'account.deletion_started',
  'account.deleted',
  'user.created',
  'user.setup_link_created',
  'session.started',
  'session.refused',
  'session.ended',
  'session.revoked',
  'password.changed',
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
  'secret.revealed',
  'secret.rotated',
  'secret.activated',
  'secrets.resealed',
  'event.replayed',
  'delivery.retried',
  'delivery.cancelled',
  'delivery.replayed',
  'replay.started',
  'replay.cancelled',
  'audit.read',
  'accounts.read',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Who did it. */
export interface Actor {
  readonly type: 'user' | 'key' | 'cli' | 'system';
  /** Id of the user or the key; null for the command line and for Everpost itself. */
  readonly id: string | null;
  /** The user's e-mail address, or the key's label. */
  readonly name: string;
}

/** The operator at the command line. */
export const CLI_ACTOR: Actor = { type: 'cli', id: null, name: 'command line' };

/** A user as the one who does something. */
export function actorOf({ _id: id, email: name }: { readonly _id: string; readonly email: string }): Actor {
  return { type: 'user', id, name };
}

/** Everpost, by itself: it disables an endpoint that is gone, and ends a rotation after its time. */
const SYSTEM_ACTOR: Actor = { type: 'system', id: null, name: 'Everpost' };

/** Who does something, and where the request came from; an address is null for what comes in no request. */
export interface By {
  readonly actor: Actor;
  readonly address: string | null;
}

export const BY_COMMAND_LINE: By = { actor: CLI_ACTOR, address: null };
export const BY_SYSTEM: By = { actor: SYSTEM_ACTOR, address: null };

/** A field of what was changed. Secrets have no values here, and of a URL there is its host. */
export interface FieldChange {
  readonly field: string;
  /** Absent where there was nothing before, or what was there is not told. */
  readonly from?: string;
  readonly to?: string;
}

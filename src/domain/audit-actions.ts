/** What the audit log knows: the noun, and what happened to it. */
export const AUDIT_ACTIONS = [
  'account.created',
  'account.tier_changed',
  'account.suspended',
  'account.resumed',
  'account.deletion_started',
  'account.deleted',
  'user.created',
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
  'endpoint.tested',
  'endpoint.recovered',
  'secret.revealed',
  'secret.rotated',
  'secret.activated',
  'event.replayed',
  'delivery.retried',
  'delivery.cancelled',
  'delivery.replayed',
  'replay.started',
  'replay.cancelled',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Who did it. */
export interface Actor {
  readonly type: 'user' | 'key' | 'cli';
  /** Id of the user or the key; null for the command line. */
  readonly id: string | null;
  /** The user's e-mail address, or the key's label. */
  readonly name: string;
}

/** The operator at the command line. */
export const CLI_ACTOR: Actor = { type: 'cli', id: null, name: 'command line' };

/**
 * The kinds of documents whose changes the dashboard follows: the collection, and the first part of the keys of the
 * queries that show them.
 */
export const CHANGE_KINDS = {
  events: { collection: 'events', shownBy: ['events', 'deliveries', 'overview'] },
  endpoints: { collection: 'endpoints', shownBy: ['endpoints', 'health', 'overview'] },
  health: { collection: 'endpoint_health', shownBy: ['health', 'overview'] },
  replays: { collection: 'replays', shownBy: ['replays'] },
  keys: { collection: 'api_keys', shownBy: ['keys', 'overview'] },
} as const satisfies Record<string, { readonly collection: string; readonly shownBy: readonly string[] }>;

export type ChangeKind = keyof typeof CHANGE_KINDS;

export const CHANGE_KIND_NAMES = Object.keys(CHANGE_KINDS) as ChangeKind[];

/** What a message of the live stream names: ids of what changed in an account, by kind. */
export type ChangeMessage = Readonly<Partial<Record<ChangeKind, readonly (string | number)[]>>> & {
  /** There were more changes than the message names: reload everything. */
  readonly more?: true;
};

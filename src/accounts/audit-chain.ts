import { createHash, randomBytes } from 'node:crypto';
import type { Actor, FieldChange } from '../domain/audit-actions';

/** What an entry says. */
export interface EntryContent {
  readonly _id: string;
  readonly at: Date;
  readonly account_id: string | null;
  readonly actor: Actor;
  readonly action: string;
  readonly object: string | null;
  readonly address: string | null;
  readonly detail?: string;
  readonly changes?: readonly FieldChange[];
}

/** The place of an entry in its log: everything that its hash is made of. */
export interface ChainLink {
  /** 1 for the first entry of the log. */
  readonly seq: number;
  /** The hash of the entry before it; empty for the first one. */
  readonly previous: string;
  /** Of what the entry says. It stays when the entry is erased with its account. */
  readonly digest: string;
}

/** A random text in the digest, so that an erased entry can't be found by trying what it may have said. */
export function newSalt(): string {
  return randomBytes(16).toString('hex');
}

/** The SHA-256 of what an entry says, in hexadecimal. */
export function digestOf(salt: string, entry: EntryContent): string {
  const { _id, at, account_id: accountId, actor, action, object, address, detail = null, changes = [] } = entry;
  const said = [
    ...[salt, _id, at.toISOString(), accountId, actor.type, actor.id, actor.name, action, object, address, detail],
    changes.map(({ field, from = null, to = null }) => [field, from, to]),
  ];
  return sha256(JSON.stringify(said));
}

/** The hash of an entry, which the next entry of the log holds. */
export function hashOf({ seq, previous, digest }: ChainLink): string {
  return sha256(JSON.stringify([seq, previous, digest]));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

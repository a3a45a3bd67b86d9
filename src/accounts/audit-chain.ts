import { createHash, randomBytes } from 'node:crypto';

/** What makes an entry a part of its log's chain. */
export interface ChainLink {
  /** 1 for the first entry of the log. */
  readonly seq: number;
  /** The digest of the entry before it; null for the first one. */
  readonly previous: string | null;
  /** A random text, so that what an erased entry said can't be found by trying. It is erased with the entry. */
  readonly salt: string;
  /** SHA-256 of everything else in the entry, in hexadecimal. */
  readonly digest: string;
}

/** The end of a log: what the next entry continues. */
export interface ChainEnd {
  readonly seq: number;
  readonly digest: string;
}

/** An entry as it is stored. */
type Entry = Readonly<Record<string, unknown>> & { readonly _id: string };

/** The link of an entry that follows `before`; null begins a log. */
export function linkAfter(before: ChainEnd | null, entry: Entry): ChainLink {
  const place = {
    seq: (before?.seq ?? 0) + 1,
    previous: before?.digest ?? null,
    salt: randomBytes(16).toString('hex'),
  };
  return { ...place, digest: digestOf({ ...entry, ...place }) };
}

/**
 * SHA-256, in hexadecimal, of the canonical JSON (RFC 8785) of everything in an entry but its digest. A field that a later
 * version adds is part of it.
 */
export function digestOf(entry: Entry): string {
  const { digest: _digest, ...covered } = lineOf(entry);
  return createHash('sha256').update(canonicalJson(covered)).digest('hex');
}

/** An entry as the export has it. */
export function lineOf({ _id: id, ...rest }: Entry): Readonly<Record<string, unknown>> {
  return { id, ...rest };
}

/** JSON with sorted names. Entries have only texts and whole numbers, whose form RFC 8785 leaves to JSON.stringify. */
function canonicalJson(value: object): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

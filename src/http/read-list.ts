import { z } from 'zod';
import { AppError } from '../domain/errors';
import { scanJson, type RawSlice } from '../domain/raw-json';
import { MAX_BODY_BYTES, parseValue, readJson, tooLarge, type ParsedBody } from './read-body';
import type { HttpContext } from './request-state';

/** One entry of a list, or why it is invalid. */
export type ListEntry<T> = ParsedBody<T> | { readonly error: AppError };

/** A list of a body whose entries are not checked yet, so that it can be counted and refused at no further cost. */
export interface ReadList<T> {
  readonly length: number;
  /** For each entry its value and its bytes, or the error that it would get in a separate body. */
  check(): ListEntry<T>[];
}

/** The limits of a body with a list of entries. */
export interface ListLimits<S extends z.ZodType> {
  /** Name of the member with the list; no other member is allowed. */
  readonly member: string;
  readonly entry: S;
  readonly maxEntries: number;
  readonly maxBytes: number;
}

/**
 * Makes the reader of a body with a list of entries, each of which may be as large and as deep as a separate body. The
 * reader throws like `readBody`, for problems of the body as a whole.
 */
export function createListReader<S extends z.ZodType>({
  member,
  entry,
  maxEntries,
  maxBytes,
}: ListLimits<S>): (ctx: HttpContext) => Promise<ReadList<z.output<S>>> {
  const list = z
    .array(z.unknown())
    .min(1, 'must hold at least one entry')
    .max(maxEntries, `must hold at most ${maxEntries} entries`);
  const envelope = z.strictObject({ [member]: list });
  return async (ctx) => {
    const { bytes, parsed } = await readJson(ctx, { maxBytes });
    const scan = scanJson(bytes);
    // Each entry is checked for its own depth.
    const { value } = parseValue(envelope, bytes, { ...scan, depth: 1 }, parsed);
    const items = value[member] ?? [];
    const checkEntry = (item: unknown, slice: RawSlice): ListEntry<z.output<S>> => {
      try {
        if (slice.end - slice.start > MAX_BODY_BYTES) throw tooLarge('The event', MAX_BODY_BYTES);
        return parseValue(entry, bytes, scanJson(bytes, slice), item, { what: 'event' });
      } catch (error) {
        if (error instanceof AppError) return { error };
        throw error;
      }
    };
    return {
      length: items.length,
      check() {
        const { elements } = scanJson(
          bytes,
          scan.members.find(({ name }) => name === member),
        );
        return items.map((item, index) => checkEntry(item, elements[index]!));
      },
    };
  };
}

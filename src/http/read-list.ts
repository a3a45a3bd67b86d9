import { z } from 'zod';
import { AppError } from '../domain/errors';
import { scanJson } from '../domain/raw-json';
import { MAX_BODY_BYTES, parseValue, readJson, tooLarge, type ParsedBody } from './read-body';
import type { HttpContext } from './request-state';

/** One entry of a list, or why it is invalid. */
export type ListEntry<T> = ParsedBody<T> | { readonly error: AppError };

/** The limits of a body with a list of entries. */
export interface ListLimits<S extends z.ZodType> {
  /** Name of the member with the list; no other member is allowed. */
  readonly member: string;
  readonly entry: S;
  readonly maxEntries: number;
  readonly maxBytes: number;
}

/**
 * Reads a body with a list of entries, each of which may be as large and as deep as a separate body.
 *
 * @returns for each entry its value and its bytes, or the error that it would get in a separate body
 * @throws like `readBody`, for problems of the body as a whole
 */
export async function readList<S extends z.ZodType>(
  ctx: HttpContext,
  { member, entry, maxEntries, maxBytes }: ListLimits<S>,
): Promise<ListEntry<z.output<S>>[]> {
  const { bytes, parsed } = await readJson(ctx, { maxBytes });
  const list = z
    .array(z.unknown())
    .min(1, 'must hold at least one entry')
    .max(maxEntries, `must hold at most ${maxEntries} entries`);
  const scan = scanJson(bytes);
  // Each entry is checked for its own depth.
  const { value } = parseValue(z.strictObject({ [member]: list }), bytes, { ...scan, depth: 1 }, parsed);
  const { elements } = scanJson(
    bytes,
    scan.members.find(({ name }) => name === member),
  );
  return (value[member] ?? []).map((item, index) => {
    const slice = elements[index]!;
    try {
      if (slice.end - slice.start > MAX_BODY_BYTES) throw tooLarge('The event', MAX_BODY_BYTES);
      return parseValue(entry, bytes, scanJson(bytes, slice), item);
    } catch (error) {
      if (error instanceof AppError) return { error };
      throw error;
    }
  });
}

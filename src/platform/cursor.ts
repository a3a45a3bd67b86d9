import { InvalidRequestError } from '../domain/errors';

/** A position in a list, newest first: creation time and id. */
export interface ListPosition {
  readonly createdAt: Date;
  readonly id: string;
}

/** A row of a list, with the time by which it is ordered. */
type ListRow = { readonly _id: string } & ({ readonly created_at: Date } | { readonly at: Date });

/** Which page of a list is asked for. */
export interface PageQuery {
  readonly limit: number;
  /** Of the previous page; the first page without one. */
  readonly cursor?: string | undefined;
}

/**
 * Makes an opaque cursor of a list.
 *
 * @param list its name, of letters, so that no other list takes the cursor
 */
export function encodeCursor(list: string, { createdAt, id }: ListPosition): string {
  return Buffer.from(`${list} ${createdAt.getTime()} ${id}`).toString('base64url');
}

/** @throws InvalidRequestError for anything that `encodeCursor` did not make for this list */
export function decodeCursor(list: string, cursor: string): ListPosition {
  const [, of, time, id] = /^(\w+) (\d{1,15}) (\S{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (of !== list || time === undefined || id === undefined) throw notACursor();
  return { createdAt: new Date(Number(time)), id };
}

/**
 * One page of a list, newest first.
 *
 * @param find reads the given number of rows after a position
 * @returns the page, and the cursor of the next page, or null at the end
 * @throws InvalidRequestError for an invalid cursor
 */
export async function readPage<Row extends ListRow>(
  list: string,
  { limit, cursor }: PageQuery,
  find: (limit: number, after: ListPosition | undefined) => Promise<Row[]>,
): Promise<{ page: Row[]; nextCursor: string | null }> {
  const found = await find(limit + 1, cursor === undefined ? undefined : decodeCursor(list, cursor));
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return { page, nextCursor: hasMore ? encodeCursor(list, positionOf(last)) : null };
}

function positionOf(row: ListRow): ListPosition {
  return { createdAt: 'at' in row ? row.at : row.created_at, id: row._id };
}

/** The error for an invalid cursor, or one of another list. */
export function notACursor(): InvalidRequestError {
  const detail = {
    path: 'cursor',
    message: 'is not a cursor of this list; use next_cursor of an earlier answer of it, or leave it out',
  };
  return new InvalidRequestError(`"cursor" ${detail.message}.`, 'invalid_request', [detail]);
}

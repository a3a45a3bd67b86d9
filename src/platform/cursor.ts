import { InvalidRequestError } from '../domain/errors';

/** A position in a list, newest first: creation time and id. */
export interface ListPosition {
  readonly createdAt: Date;
  readonly id: string;
}

/** The lists that have cursors. */
type ListName = 'accounts' | 'audit' | 'deliveries' | 'endpoints' | 'events' | 'replays';

/** Makes an opaque cursor of a list. */
export function encodeCursor(list: ListName, { createdAt, id }: ListPosition): string {
  return Buffer.from(`${list} ${createdAt.getTime()} ${id}`).toString('base64url');
}

/** @throws InvalidRequestError for anything that `encodeCursor` did not make for this list */
export function decodeCursor(list: ListName, cursor: string): ListPosition {
  const [, of, time, id] = /^(\w+) (\d{1,15}) (\S{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (of !== list || time === undefined || id === undefined) throw notACursor();
  return { createdAt: new Date(Number(time)), id };
}

/** The error for a cursor that no list of its kind gave out. */
export function notACursor(): InvalidRequestError {
  const detail = {
    path: 'cursor',
    message: 'is not a cursor of this list; use next_cursor of an earlier answer of it, or leave it out',
  };
  return new InvalidRequestError(`"cursor" ${detail.message}.`, 'invalid_request', [detail]);
}

import { InvalidRequestError } from '../domain/errors';

/** A position in a list, newest first: creation time and id. */
export interface ListPosition {
  readonly createdAt: Date;
  readonly id: string;
}

/** Makes an opaque cursor. */
export function encodeCursor({ createdAt, id }: ListPosition): string {
  return Buffer.from(`${createdAt.getTime()} ${id}`).toString('base64url');
}

/** @throws InvalidRequestError for anything that `encodeCursor` did not make */
export function decodeCursor(cursor: string): ListPosition {
  const [, time, id] = /^(\d{1,15}) (\S{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (time === undefined || id === undefined) throw notACursor();
  return { createdAt: new Date(Number(time)), id };
}

/** The error for a cursor that no list of its kind gave out. */
export function notACursor(): InvalidRequestError {
  const detail = {
    path: 'cursor',
    message: 'is not a cursor; use next_cursor of an earlier answer, or leave it out',
  };
  return new InvalidRequestError(`"cursor" ${detail.message}.`, 'invalid_request', [detail]);
}

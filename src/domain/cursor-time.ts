/**
 * The time of the position that a cursor of a list names, in Unix milliseconds: how far back a reader has looked.
 * Undefined if the cursor is of another kind.
 */
export function timeOfCursor(cursor: string): number | undefined {
  const [, time] = /^\w+ (\d{1,15}) /.exec(decoded(cursor)) ?? [];
  return time === undefined ? undefined : Number(time);
}

function decoded(cursor: string): string {
  try {
    return atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}

/** What one mail or message says. */
export interface AlertText {
  readonly subject: string;
  readonly text: string;
}

/** The most lines of one list, so that a message stays readable and below the limits of chats. */
const MAX_NAMED = 20;

/**
 * A text of lists.
 *
 * @param parts what the subject says: `2 endpoints fail`; undefined parts are left out
 * @param lists the lines below it
 */
export function alertText(parts: readonly (string | undefined)[], lists: readonly (readonly string[])[]): AlertText {
  const subject = `Everpost: ${parts.filter((part) => part !== undefined).join(', ')}`;
  return { subject, text: [subject, ...lists.flatMap(shortened)].join('\n') };
}

function shortened(lines: readonly string[]): readonly string[] {
  const more = lines.length - MAX_NAMED;
  return more > 0 ? [...lines.slice(0, MAX_NAMED), `… and ${more} more`] : lines;
}

/** `1 endpoint`, `2 endpoints` */
export function countOf(count: number, thing: string): string {
  return count === 1 ? `1 ${thing}` : `${count} ${thing}s`;
}

/** `2026-11-21 12:00:07 UTC` */
export function utc(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

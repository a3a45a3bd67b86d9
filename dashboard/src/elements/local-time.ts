/** A time as a field of type `datetime-local` has it: in the reader's zone, to the second. Empty for what is not a time. */
export function toLocalField(at: string): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return '';
  const two = (part: number): string => String(part).padStart(2, '0');
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${day}T${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`;
}

/** The time in such a field; undefined for an empty one, which is what browsers make of an unfinished one. */
export function fromLocalField(text: string): string | undefined {
  const time = new Date(text);
  return text === '' || Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** The name of the reader's zone: `Europe/Berlin`. */
export function localZoneName(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The reader's zone with its offset now: `Europe/Berlin (GMT+1)`. */
export function localZone(): string {
  const parts = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' });
  const offset = parts.formatToParts(new Date()).find(({ type }) => type === 'timeZoneName');
  return `${parts.resolvedOptions().timeZone} (${offset?.value ?? 'UTC'})`;
}

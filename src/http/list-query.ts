import { z } from 'zod';

const LIMIT_RULE = 'must be a whole number from 1 to 100';

/** A query parameter is text; anything but plain digits is refused like a number that is out of range. */
function wholeNumber(text: unknown): number | undefined {
  if (text === undefined) return undefined;
  return typeof text === 'string' && /^[0-9]{1,3}$/.test(text) ? Number(text) : 0;
}

/** Query parameters of a list: `limit` from 1 to 100, and the `next_cursor` of the previous page. */
export function listQuery(defaultLimit: number) {
  return z.strictObject({
    limit: z
      .preprocess(wholeNumber, z.int().min(1, LIMIT_RULE).max(100, LIMIT_RULE))
      .default(defaultLimit)
      .meta({ description: `The most items on the page; ${defaultLimit} by default.` }),
    cursor: z
      .string()
      .max(300, 'must have at most 300 characters')
      .optional()
      .meta({ description: '`next_cursor` of the previous page.' }),
  });
}

/** The start of a list's next page. */
export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: 'The `cursor` of the next page; null on the last one.' });

const LAST_YEAR = 9_999;

const TIME_RULE = 'must be a time such as 2026-11-21T12:00:00Z';
const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** ISO 8601 in all its spellings. In a query an unencoded `+` is a space. */
const TIME =
  /^(?<date>\d{4}-\d{2}-\d{2})[Tt ](?<minutes>\d{2}:\d{2})(?<seconds>:\d{2}(?:[.,]\d+)?)? ?(?:(?<zulu>[Zz])|(?<sign>[ +-])(?<hours>\d{2}):?(?<rest>\d{2})?)?$/;
/** Seconds since 1970 have ten digits until 2286, milliseconds thirteen. */
const SECONDS = /^\d{9,10}(?:\.\d+)?$/;
const MILLISECONDS = /^\d{12,13}$/;
const MICROSECONDS = /^\d{15,16}$/;

/** What to do about a value that is no time. The values in use elsewhere get the text that would be right. */
function describeTime(value: unknown): string {
  const text = String(value);
  if (SECONDS.test(text)) return `${TIME_RULE}; ${text} seconds since 1970 are ${isoOf(Number(text) * 1_000)}`;
  if (MILLISECONDS.test(text)) return `${TIME_RULE}; ${text} milliseconds since 1970 are ${isoOf(Number(text))}`;
  if (MICROSECONDS.test(text))
    return `${TIME_RULE}; ${text} microseconds since 1970 are ${isoOf(Number(text) / 1_000)}`;
  if (DATE.test(text) && exists(`${text}T00:00:00Z`))
    return `${TIME_RULE}; for the begin of the day in UTC, write ${text}T00:00:00Z`;
  return describeSpelling(text);
}

function describeSpelling(text: string): string {
  const { date, minutes, seconds = ':00', zulu, sign, hours, rest = '00' } = TIME.exec(text)?.groups ?? {};
  if (date === undefined) return TIME_RULE;
  if (sign === ' ') return `${TIME_RULE}; in a URL, write the + of its offset as %2B`;
  if (zulu === undefined && hours === undefined) return `${TIME_RULE}; it has no offset from UTC, such as Z or +02:00`;
  const right = `${date}T${minutes}${seconds.replace(',', '.')}${zulu === undefined ? `${sign}${hours}:${rest}` : 'Z'}`;
  return exists(right) ? `${TIME_RULE}; write ${right}` : TIME_RULE;
}

/** Whether there is such a time: February has no 30th day. */
function exists(text: string): boolean {
  return z.iso.datetime({ offset: true }).safeParse(text).success;
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** A time as a parameter: ISO 8601 with its offset from UTC. */
export const timeParam = z.iso
  .datetime({ offset: true, error: ({ input }) => describeTime(input) })
  .transform((text) => new Date(text))
  // With its offset, the year may need more than the four digits of an answer.
  .refine((time) => time.getUTCFullYear() <= LAST_YEAR && time.getUTCFullYear() >= 0, {
    error: 'must be of a year from 0000 to 9999 in UTC',
  });

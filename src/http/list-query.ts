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

/** A time as a parameter: ISO 8601 with its offset from UTC. */
export const timeParam = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-11-21T12:00:00Z' })
  .transform((text) => new Date(text))
  // With its offset, the year may need more than the four digits of an answer.
  .refine((time) => time.getUTCFullYear() <= LAST_YEAR && time.getUTCFullYear() >= 0, {
    error: 'must be of a year from 0000 to 9999 in UTC',
  });

import { z } from 'zod';

/** Query parameters of a list: `limit` 1 to 100, and the `next_cursor` of the page before. */
export function listQuery(defaultLimit: number) {
  return z.strictObject({
    limit: z
      .string()
      .regex(/^\d{1,3}$/, 'must be a whole number from 1 to 100')
      .transform(Number)
      .refine((limit) => limit >= 1 && limit <= 100, 'must be a whole number from 1 to 100')
      .default(defaultLimit),
    cursor: z.string().max(300).optional(),
  });
}

import { z } from 'zod';
import { API_ERROR_CODES } from '../domain/error-codes';
import { OPEN_ENUM } from './open-enum';

/** The error, for programs. The document lists the codes without closing the list (`OPEN_ENUM`). */
export const errorCode = z.enum(API_ERROR_CODES).meta({
  id: 'ErrorCode',
  [OPEN_ENUM]: API_ERROR_CODES,
  description:
    'Stable: branch on it. A release may add codes: treat an unknown code by its status. The row `errors.md#<code>` of the ' +
    'documentation describes the cause and what to do.',
});

/** A problem of a request, and its place. */
const errorDetail = z.object({ path: z.string(), message: z.string() }).meta({ id: 'ErrorDetail' });

const common = {
  error: z.string().meta({ description: 'A sentence that says what to do.' }),
  code: errorCode,
  request_id: z.string().meta({ description: 'The same as the header X-Request-Id; log lines contain it too.' }),
};

/** The body of every error. */
export const errorView = z
  .object({
    ...common,
    details: z
      .array(errorDetail)
      .optional()
      .meta({ description: 'Each problem of the request and its place; the first 20.' }),
  })
  .meta({ id: 'ApiError' });

/** The bodies of 429 (docs/spec.md, "Errors"), and those of the budgets of deliveries. */
export const tooManyRequestsView = z
  .union([
    z
      .object({
        ...common,
        retry_after: z.int().min(1),
        remaining: z.literal(0),
      })
      .meta({ id: 'BurstLimitExceeded' }),
    z
      .object({ ...common, quota_limit: z.int().min(0), quota_used: z.int().min(0), reset_at: z.iso.datetime() })
      .meta({ id: 'QuotaExceeded' }),
    z
      .object({
        ...common,
        retry_after: z.int().min(1),
        remaining: z.literal(0),
        delivery_limit: z.int().min(1).meta({ description: "The deliveries a minute of the account's tier." }),
        reset_at: z.iso.datetime().meta({ description: 'When the budget resets.' }),
      })
      .meta({ id: 'DeliveryBudgetExceeded' }),
    z
      .object({
        ...common,
        retry_after: z.int().min(1),
        remaining: z.literal(0),
        pending_limit: z.int().min(1).meta({ description: "The most unfinished deliveries of the account's tier." }),
      })
      .meta({ id: 'PendingBudgetExceeded' }),
    z
      .object({
        ...common,
        retry_after: z.int().min(1),
        remaining: z.literal(0),
        storage_limit: z.int().min(1).meta({ description: "The bytes of data a day of the account's tier." }),
        reset_at: z.iso.datetime().meta({ description: 'When the budget resets.' }),
      })
      .meta({ id: 'StorageBudgetExceeded' }),
  ])
  .meta({ id: 'TooManyRequests' });

import { z } from 'zod';

const common = {
  error: z.string().meta({ description: 'A sentence that says what to do.' }),
  code: z
    .string()
    .regex(/^[a-z0-9_]+$/)
    .meta({ description: 'Stable; docs/errors.md lists them all.' }),
  request_id: z.string().meta({ description: 'The same as the header X-Request-Id; log lines carry it too.' }),
};

/** The body of every error. */
export const errorView = z.object({
  ...common,
  details: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .meta({ description: 'Each problem of the request, and where it is.' }),
});

/** The bodies of 429 (api-spec, "Errors"), and those of the budgets of deliveries. */
export const tooManyRequestsView = z.union([
  z
    .object({
      ...common,
      retry_after: z.int().min(1),
      remaining: z.literal(0),
    })
    .meta({ title: 'Burst limit' }),
  z
    .object({ ...common, quota_limit: z.int().min(0), quota_used: z.int().min(0), reset_at: z.iso.datetime() })
    .meta({ title: 'Monthly quota' }),
  z
    .object({
      ...common,
      retry_after: z.int().min(1),
      remaining: z.literal(0),
      delivery_limit: z.int().min(1).meta({ description: "Deliveries a minute of the account's tier." }),
      reset_at: z.iso.datetime().meta({ description: 'When the budget is open again.' }),
    })
    .meta({ title: 'Budget of deliveries' }),
  z
    .object({
      ...common,
      retry_after: z.int().min(1),
      remaining: z.literal(0),
      pending_limit: z.int().min(1).meta({ description: "Unfinished deliveries of the account's tier." }),
    })
    .meta({ title: 'Budget of pending deliveries' }),
]);

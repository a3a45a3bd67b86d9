/** The codes of the 429 errors that refuse a call with a valid key: the limits of calls, and the budgets. */
export const CALL_REFUSALS = [
  'rate_limit_exceeded',
  'quota_exceeded',
  'delivery_budget_exceeded',
  'pending_budget_exceeded',
  'filter_budget_exceeded',
  'storage_budget_exceeded',
] as const;

export type CallRefusal = (typeof CALL_REFUSALS)[number];

/** Whether an error's code is one of them. */
export function isCallRefusal(code: string | undefined): code is CallRefusal {
  return (CALL_REFUSALS as readonly (string | undefined)[]).includes(code);
}

import { alertText, countOf, utc, type AlertText } from './alert-text';
import type { QuotaNotice } from './notice-store';

/** Words for an operator: which accounts used up their monthly quota, or 80 % of it, and when it resets. */
export function quotaText(notices: readonly QuotaNotice[]): AlertText {
  const usedUp = notices.filter(({ level }) => level === 100);
  const almost = notices.filter(({ level }) => level === 80);
  const parts = [
    usedUp.length > 0 ? `${countOf(usedUp.length, 'account')} used up ${quotaOf(usedUp.length)}` : undefined,
    almost.length > 0 ? `${countOf(almost.length, 'account')} used 80 % of ${quotaOf(almost.length)}` : undefined,
  ];
  return alertText(parts, [usedUp.map(lineOf), almost.map(lineOf)]);
}

function quotaOf(accounts: number): string {
  return accounts === 1 ? 'its monthly quota' : 'their monthly quotas';
}

function lineOf({ account_id: account, used, limit, reached_at: at, resets_at: resetsAt }: QuotaNotice): string {
  return `- account ${account}: ${used} of ${limit} calls at ${utc(at)}, resets at ${utc(resetsAt)}`;
}

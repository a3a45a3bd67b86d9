import type { ReachedQuota } from '../domain/quota-level';
import type { ReachedQuotaStore } from '../limits/reached-quota-store';
import type { Periodic } from '../platform/periodic';
import type { QuotaNotice } from './notice-store';
import { tellAlerts, tellPeriodically, type AlertDeps } from './tell-alerts';

/** What telling of quotas needs. */
export interface TellQuotasDeps extends AlertDeps<QuotaNotice> {
  readonly reachedQuotas: ReachedQuotaStore;
}

/** Tells of accounts that reached a level of their quota. Part of the worker role; safe in any number of workers. */
export function tellQuotas(deps: TellQuotasDeps): Periodic {
  const failure = 'reached quotas could not be looked for; the next round tries again';
  return tellPeriodically(deps.logger, failure, () => tellQuotasOnce(deps));
}

/** Looks for reached levels, and tells what was not told. */
export async function tellQuotasOnce(deps: TellQuotasDeps): Promise<void> {
  const found = await deps.reachedQuotas.findUnannounced();
  await tellAlerts(deps, {
    noticesOn: (channel) => found.map((reached) => noticeOf(channel, reached)),
    markAnnounced: () => deps.reachedQuotas.markAnnounced(found),
  });
}

function noticeOf(channel: string, reached: ReachedQuota): QuotaNotice {
  const { account_id: accountId, resets_at: resetsAt, limit, level } = reached;
  return { _id: `${channel}/${accountId}/${resetsAt.toISOString()}/${limit}/${level}`, channel, ...reached };
}

import type { ReachedQuota, ReachedQuotaStore } from '../limits/reached-quota-store';
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

function noticeOf(channel: string, { accountId, level, used, limit, reachedAt, resetsAt }: ReachedQuota): QuotaNotice {
  return {
    _id: `${channel}/${accountId}/${resetsAt.toISOString()}/${limit}/${level}`,
    channel,
    account_id: accountId,
    level,
    used,
    limit,
    reached_at: reachedAt,
    resets_at: resetsAt,
  };
}

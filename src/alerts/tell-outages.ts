import { hostOf } from '../domain/destination-url';
import type { Periodic } from '../platform/periodic';
import type { Outage, OutageStore } from '../stores/outage-store';
import type { OutageNotice } from './notice-store';
import { tellAlerts, tellPeriodically, type AlertDeps } from './tell-alerts';

/** What telling of outages needs. */
export interface TellOutagesDeps extends AlertDeps<OutageNotice> {
  readonly outages: OutageStore;
  /** How long an endpoint fails before an alert tells of it. */
  readonly failingAfterMs: number;
}

/** Tells of endpoints that fail, and of those that recovered. Part of the worker role; safe in any number of workers. */
export function tellOutages(deps: TellOutagesDeps): Periodic {
  const failure = 'outages of endpoints could not be looked for; the next round tries again';
  return tellPeriodically(deps.logger, failure, () => tellOutagesOnce(deps));
}

/** Looks for outages, and tells what was not told. */
export async function tellOutagesOnce(deps: TellOutagesDeps): Promise<void> {
  const { outages, failingAfterMs } = deps;
  const [failing, recovered] = await Promise.all([outages.findUnannounced(failingAfterMs), outages.findRecovered()]);
  const found = [...recovered, ...failing];
  await tellAlerts(deps, {
    noticesOn: (channel) => found.map((outage) => noticeOf(channel, outage)),
    markAnnounced: () => outages.markAnnounced(found),
  });
}

function noticeOf(
  channel: string,
  { kind, endpointId, accountId, url, since, recoveredAt, seen }: Outage,
): OutageNotice {
  return {
    _id: `${channel}/${kind}/${endpointId}/${since.toISOString()}`,
    channel,
    kind,
    account_id: accountId,
    endpoint_id: endpointId,
    host: hostOf(url),
    since,
    recovered_at: recoveredAt ?? null,
    failures: seen.run?.failures ?? 0,
    cause: seen.cause,
  };
}

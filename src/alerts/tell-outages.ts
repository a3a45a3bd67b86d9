import { randomUUID } from 'node:crypto';
import { hostOf } from '../domain/destination-url';
import type { Logger } from '../platform/logger';
import { runPeriodically, type Periodic } from '../platform/periodic';
import type { Outage, OutageStore } from '../record/outage-store';
import type { Notice, NoticeStore } from './notice-store';

/** A way to tell what happened. */
export interface Channel {
  /** Part of the ids of notices. */
  readonly name: string;
  /** Tells all of them at once. If it fails, they are told again later. */
  tell(notices: readonly Notice[]): Promise<void>;
}

/** What telling of outages needs. */
export interface TellDeps {
  readonly outages: OutageStore;
  readonly notices: NoticeStore;
  readonly channels: readonly Channel[];
  /** How long an endpoint fails before anybody is told. */
  readonly failingAfterMs: number;
  readonly logger: Logger;
}

/** A person reads it: half a minute later is early enough, and what happens meanwhile is one message. */
const INTERVAL_MS = 30_000;

/** Tells of endpoints that fail, and of those that recovered. Part of the worker role; safe in any number of workers. */
export function tellOutages(deps: TellDeps): Periodic {
  const failure = 'outages of endpoints could not be looked for; the next round tries again';
  return runPeriodically({ intervalMs: INTERVAL_MS, logger: deps.logger, failure }, () => tellOnce(deps));
}

/**
 * Looks for outages, and tells what was not told. The notices are stored before the outages are marked, so a crash in
 * between loses none; their ids are unique, so none is told twice.
 */
export async function tellOnce(deps: TellDeps): Promise<void> {
  const { outages, notices, channels, failingAfterMs } = deps;
  const [failing, recovered] = await Promise.all([outages.findUnannounced(failingAfterMs), outages.findRecovered()]);
  const found = [...recovered, ...failing];
  await notices.add(channels.flatMap(({ name }) => found.map((outage) => noticeOf(name, outage))));
  await outages.markAnnounced(found);
  await Promise.all(channels.map((channel) => tellOn(deps, channel)));
}

async function tellOn({ notices, logger }: TellDeps, channel: Channel): Promise<void> {
  const claimed = await notices.claim(channel.name, randomUUID());
  if (claimed.length === 0) return;
  try {
    await channel.tell(claimed);
  } catch (error) {
    logger.warn({ err: error, channel: channel.name, notices: claimed.length }, 'notices could not be sent yet');
    return;
  }
  await notices.markTold(claimed.map(({ _id }) => _id));
}

function noticeOf(channel: string, { kind, endpointId, accountId, url, since, recoveredAt, seen }: Outage): Notice {
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

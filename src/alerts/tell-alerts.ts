import { randomUUID } from 'node:crypto';
import type { Logger } from '../platform/logger';
import { runPeriodically, type Periodic } from '../platform/periodic';
import type { Notice, NoticeStore } from './notice-store';

/** A way to tell what happened. */
export interface Channel<N extends Notice> {
  /** Of its notices, which are all of one kind. */
  readonly name: string;
  /** Tells all of them at once. If it fails, they are told again later. */
  tell(notices: readonly N[]): Promise<void>;
}

/** What telling needs. */
export interface AlertDeps<N extends Notice> {
  readonly notices: NoticeStore;
  readonly channels: readonly Channel<N>[];
  readonly logger: Logger;
}

/** What was found. */
interface Findings<N extends Notice> {
  noticesOn(channel: string): readonly N[];
  /** Records that they are announced. */
  markAnnounced(): Promise<void>;
}

/** Alerts are for people: those of 30 s are one message. */
const INTERVAL_MS = 30_000;

/** Looks and tells in each round. @param failure the log line of a round that throws */
export function tellPeriodically(logger: Logger, failure: string, tellOnce: () => Promise<void>): Periodic {
  return runPeriodically({ intervalMs: INTERVAL_MS, logger, failure }, tellOnce);
}

/**
 * Tells what was found, and what could not be told before. The notices are stored before the findings are marked, so a
 * crash in between loses none; their ids are unique, so none is told twice.
 */
export async function tellAlerts<N extends Notice>(deps: AlertDeps<N>, found: Findings<N>): Promise<void> {
  await deps.notices.add(deps.channels.flatMap(({ name }) => found.noticesOn(name)));
  await found.markAnnounced();
  await Promise.all(deps.channels.map((channel) => tellOn(deps, channel)));
}

async function tellOn<N extends Notice>({ notices, logger }: AlertDeps<N>, channel: Channel<N>): Promise<void> {
  const claimed = await notices.claim<N>(channel.name, randomUUID());
  if (claimed.length === 0) return;
  try {
    await channel.tell(claimed);
  } catch (error) {
    logger.warn({ err: error, channel: channel.name, notices: claimed.length }, 'notices could not be sent yet');
    return;
  }
  await notices.markTold(claimed.map(({ _id }) => _id));
}

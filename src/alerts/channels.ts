import type { createAnnouncer } from '../events/announce-operational-event';
import type { AlertText } from './alert-text';
import type { Notice, OutageNotice, QuotaNotice } from './notice-store';
import { outageText } from './outage-text';
import { quotaText } from './quota-text';
import type { Channel } from './tell-alerts';

/** Something that happens, and how the operator reads it. */
export interface Topic<N extends Notice> {
  /**
   * Begins the names of its channels. A worker claims notices by channel, so one of an older build leaves those of a
   * topic that it doesn't know to newer ones.
   */
  readonly prefix: string;
  inWords(notices: readonly N[]): AlertText;
}

/** Endpoints that fail, and that recovered. */
export const OUTAGES: Topic<OutageNotice> = { prefix: '', inWords: outageText };
/** Accounts that reached a level of their quota. */
export const QUOTAS: Topic<QuotaNotice> = { prefix: 'quota/', inWords: quotaText };

type Announcer = ReturnType<typeof createAnnouncer>;

/** Tells the account's own endpoints of its outages, with operational events. */
export function outageEventChannel(
  announce: Pick<Announcer, 'endpointFailing' | 'endpointRecovered'>,
): Channel<OutageNotice> {
  return {
    name: `${OUTAGES.prefix}event`,
    async tell(notices) {
      for (const notice of notices) {
        await (notice.kind === 'failing' ? announce.endpointFailing(notice) : announce.endpointRecovered(notice));
      }
    },
  };
}

/** Tells the account's own endpoints of its quota, with operational events. */
export function quotaEventChannel(announce: Pick<Announcer, 'quotaReached'>): Channel<QuotaNotice> {
  return {
    name: `${QUOTAS.prefix}event`,
    async tell(notices) {
      for (const notice of notices) await announce.quotaReached(notice);
    },
  };
}

/** Tells the operator by e-mail: one mail for all. */
export function mailChannel<N extends Notice>(
  { prefix, inWords }: Topic<N>,
  send: (mail: {
    readonly from: string;
    readonly to: readonly string[];
    subject: string;
    text: string;
  }) => Promise<void>,
  addresses: { readonly from: string; readonly to: readonly string[] },
): Channel<N> {
  return {
    name: `${prefix}mail`,
    tell: (notices) => send({ from: addresses.from, to: addresses.to, ...inWords(notices) }),
  };
}

/** Tells the operator in a chat that takes Slack's `{ "text": … }`: one message for all. */
export function webhookChannel<N extends Notice>(
  { prefix, inWords }: Topic<N>,
  post: (body: { readonly text: string }) => Promise<void>,
): Channel<N> {
  return { name: `${prefix}webhook`, tell: (notices) => post({ text: inWords(notices).text }) };
}

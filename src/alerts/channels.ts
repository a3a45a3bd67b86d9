import type { createAnnouncer } from '../events/announce-operational-event';
import { alertText } from './alert-text';
import type { Channel } from './tell-outages';

/** Tells the account's own endpoints, with operational events. */
export function eventChannel(
  announce: Pick<ReturnType<typeof createAnnouncer>, 'endpointFailing' | 'endpointRecovered'>,
): Channel {
  return {
    name: 'event',
    async tell(notices) {
      for (const notice of notices) {
        await (notice.kind === 'failing' ? announce.endpointFailing(notice) : announce.endpointRecovered(notice));
      }
    },
  };
}

/** Tells the operator by e-mail: one mail for all. */
export function mailChannel(
  send: (mail: {
    readonly from: string;
    readonly to: readonly string[];
    subject: string;
    text: string;
  }) => Promise<void>,
  addresses: { readonly from: string; readonly to: readonly string[] },
): Channel {
  return { name: 'mail', tell: (notices) => send({ from: addresses.from, to: addresses.to, ...alertText(notices) }) };
}

/** Tells the operator in a chat that takes Slack's `{ "text": … }`: one message for all. */
export function webhookChannel(post: (body: { readonly text: string }) => Promise<void>): Channel {
  return { name: 'webhook', tell: (notices) => post({ text: alertText(notices).text }) };
}

import { createHmac } from 'node:crypto';
import type { Topology } from '../../bench/topology/topology';
import { createApi } from '../chaos/api';
import { ledgerOf, type Ledger, type LedgerLine } from '../chaos/load/ledger';
import type { Received } from '../chaos/receivers/receiver-log';
import { verify, type Verdict } from '../chaos/verify';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { buildAccount } from '../support/build-stack';

interface TenantEndpoint {
  readonly id: string;
  readonly path: string;
}

/** Each receiver answers 503 to the first so many requests for each event. */
const REFUSALS = [0, 0, 2];
/** What each attempt takes at least: long enough to be killed within. */
const ANSWER_MS = 100;

/** Makes an account with three endpoints, and keeps what it sends and what its receivers get. */
export async function openTenant({ config, mongo, urls }: Topology) {
  const { accountId, key } = await buildAccount(config, mongo, { tier: 'cluster' });
  const api = createApi(urls, key);
  const receivers: Receiver[] = [];
  const endpoints: TenantEndpoint[] = [];
  const received: Received[] = [];
  for (const refusals of REFUSALS) {
    const receiver = await buildReceiver();
    receivers.push(receiver);
    // The path names the receiver in the logs of all three.
    const path = `/${endpoints.length}`;
    const url = new URL(path, receiver.url).href;
    const { status, text, body } = await api.insist('POST', '/endpoints', { url, events: ['*'] });
    if (status !== 201) throw new Error(`an endpoint was refused with ${status}: ${text}`);
    const { id, secret } = body as { id: string; secret: string };
    endpoints.push({ id, path });
    follow(receiver, { refusals, secret, received });
  }
  const lines: LedgerLine[] = [];
  const ledger = (): Ledger => ledgerOf(lines);
  return {
    accountId,
    endpoints,
    received: () => received,
    /** How many events an API has acknowledged. */
    acknowledged: () => lines.filter(({ id }) => id !== undefined).length,
    /** Sends one event, and again at the other API, with the same key, until one acknowledges it. */
    async send(serial: number): Promise<void> {
      const sentAt = Date.now();
      const event = { type: 'order.created', data: { serial }, idempotency_key: `event-${serial}` };
      const { status, body } = await api.insist('POST', '/events', event);
      const id = body?.id as number | undefined;
      lines.push({ serial, try: 1, sentAt, answeredAt: Date.now(), status, api: 0, ...(id !== undefined && { id }) });
    },
    /** Waits until every acknowledged event is finished, and holds what was sent, received and recorded together. */
    settle: (timeoutMs: number): Promise<Verdict> =>
      verify({ ledger, received: () => received, api, endpoints, timeoutMs }),
    close: () => Promise.all(receivers.map((receiver) => receiver.close())),
  };
}

/** Logs every request of a receiver with its answer. */
function follow(
  receiver: Receiver,
  { refusals, secret, received }: { refusals: number; secret: string; received: Received[] },
): void {
  const seen = new Map<number, number>();
  receiver.answerWith(async ({ at, path, headers, body }) => {
    const { id, data } = JSON.parse(body.toString()) as { id: number; data: { serial: number } };
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    const genuine = headers['x-webhook-signature'] === signature;
    const status = count <= refusals ? 503 : 200;
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
    received.push({ path, id, serial: data.serial, genuine, at, endedAt: Date.now(), status });
    return status;
  });
}

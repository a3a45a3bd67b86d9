import { apiClient, type ApiAnswer } from '../../support/api-client';
import type { ReceivedRequest, Receiver } from '../../support/build-receiver';
import { eventually } from '../../support/eventually';

/** What a sender of events wrote down for himself: he knows of HTTP answers only. */
export interface Ledger {
  /** Ids of events that were answered with 202. */
  readonly acknowledged: readonly number[];
  /** Every answer's status; `0` is a connection that broke. */
  readonly statuses: readonly number[];
  readonly refusals: readonly ApiAnswer[];
  /** Posts one event to wherever the API is now. */
  post(type?: string): Promise<number>;
  /** Posts events, `perSecond`, until it is told to stop. */
  load(perSecond: number): { stop(): Promise<void> };
  /** Posts events, `senders` at a time and each after the answer of the one before, until it is told to stop. */
  flood(senders: number): { stop(): Promise<void> };
}

/** @param urlOf where the API is now: a new process has a new port */
export function buildLedger(urlOf: () => string, key: string): Ledger {
  const acknowledged: number[] = [];
  const statuses: number[] = [];
  const refusals: ApiAnswer[] = [];
  let sent = 0;

  const post: Ledger['post'] = async (type = 'order.created') => {
    sent += 1;
    const body = { type, data: { serial: sent } };
    const answer = await apiClient(urlOf(), key)
      .post('/api/v1/webhooks/events', body)
      .catch(() => undefined);
    statuses.push(answer?.status ?? 0);
    if (answer?.status === 202) acknowledged.push(answer.body.id);
    else if (answer) refusals.push(answer);
    return answer?.status ?? 0;
  };
  const flood: Ledger['flood'] = (senders) => {
    let stopped = false;
    const send = async (): Promise<void> => {
      while (!stopped) await post();
    };
    const sending = Promise.all(Array.from({ length: senders }, send));
    return {
      async stop() {
        stopped = true;
        await sending;
      },
    };
  };
  return {
    flood,
    acknowledged,
    statuses,
    refusals,
    post,
    load(perSecond) {
      const underWay = new Set<Promise<unknown>>();
      const timer = setInterval(() => {
        const posting = post().finally(() => underWay.delete(posting));
        underWay.add(posting);
      }, 1_000 / perSecond);
      return {
        async stop() {
          clearInterval(timer);
          await Promise.all(underWay);
        },
      };
    },
  };
}

/** How often the receiver got each event. */
export function countById(requests: readonly ReceivedRequest[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { body } of requests) {
    const { id } = JSON.parse(body.toString()) as { id: number };
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Waits until the receiver got every event that was acknowledged. */
export async function untilAllArrived(
  ledger: Ledger,
  receiver: Receiver,
  timeoutMs: number,
): Promise<Map<number, number>> {
  await eventually(
    async () => {
      const counts = countById(receiver.requests);
      return ledger.acknowledged.filter((id) => !counts.has(id));
    },
    (missing) => missing.length === 0,
    timeoutMs,
  );
  return countById(receiver.requests);
}

import type { AuditEntry } from '../../src/accounts/audit-store';
import { countOf } from '../../src/domain/attempt-counts';
import { AUDIT_ACTIONS } from '../../src/domain/audit-actions';
import { createUsageStore } from '../../src/keys/usage-store';
import { newId } from '../../src/platform/ids';
import type { Mongo } from '../../src/platform/mongo';
import { createAttemptCountStore } from '../../src/stores/attempt-count-store';
import { insertEvents } from '../support/build-events';
import type { Stack } from '../support/build-stack';
import type { signedUp } from './browser';

/** Ids by the name of what they are of: `eventId`, `endpointId`. */
export type AccountIds = Readonly<Record<string, string>>;

const TYPES = 40;

/** A busy account: all that its pages show, and much that they don't. @returns ids of what they show */
export async function fillAccount(
  stack: Stack,
  { browser, accountId, userId }: Awaited<ReturnType<typeof signedUp>>,
  { events, firstId }: { readonly events: number; readonly firstId: number },
): Promise<AccountIds> {
  const { db } = stack.mongo;
  await db.collection<{ _id: string }>('users').updateOne({ _id: userId }, { $set: { operator: true } });
  await browser.patch('/search-fields', { search_fields: ['customer_id'] });
  const endpointIds: string[] = [];
  for (let at = 0; at < 8; at += 1) {
    const { body } = await browser.post('/webhooks/endpoints', {
      url: `https://example.com/${at}`,
      events: [`none.${at}`],
    });
    endpointIds.push(body.id);
  }
  const key = await browser.post('/keys', { product: 'weh', label: 'test' });
  const replay = await browser.post('/webhooks/replays', { filter: { state: 'failed', type: 'nothing' } });
  const jobId = String(replay.body.job_id);
  const rehearsal = await browser.post('/webhooks/rehearsals', {
    change: { endpoint: { url: 'https://example.com/' } },
  });
  const erasure = await browser.post('/webhooks/erasures', { data: 'customer_id:nothing' });
  const now = Math.floor(Date.now() / 1_000);
  const states = ['delivered', 'delivered', 'failed', 'retrying', 'cancelled', 'pending'] as const;
  await insertEvents(
    stack.mongo,
    Array.from({ length: events }, (_, n) => ({
      id: firstId + n,
      accountId,
      type: `kind_${n % TYPES}.made`,
      acceptedAt: now - (events - n) * 20,
      search: [`customer_id:cus_${n % 400}`],
      idempotencyKey: `key_${n}`,
      deliveries: [
        {
          endpointId: endpointIds[n % endpointIds.length]!,
          state: states[Math.floor(n / 7) % states.length]!,
          ...(n % 300 === 0 && { replayJob: jobId }),
        },
        // Others, in other states: an index on the destinations names each event several times.
        ...[1, 3].map((other) => ({
          endpointId: endpointIds[(n + other) % endpointIds.length]!,
          state: states[(Math.floor(n / 7) + other) % states.length]!,
        })),
      ],
    })),
  );
  await db.collection<AuditEntry>('audit_log').insertMany(
    Array.from({ length: 2_000 }, (_, n): AuditEntry => ({
      _id: newId('aud'),
      at: new Date(Date.now() - n * 60_000),
      account_id: accountId,
      actor: {
        type: 'user',
        id: n % 500 ? userId : 'usr_rare',
        name: n % 500 ? 'one@example.com' : 'rare@example.com',
      },
      action: n % 500 ? 'secret.revealed' : AUDIT_ACTIONS[n % 7]!,
      object: n % 500 ? `ep_${n}` : 'ep_rare',
      address: null,
    })),
  );
  await fillCounts(stack.mongo, accountId, endpointIds.slice(0, 4), String(key.body.id));
  return {
    accountId,
    userId,
    jobId,
    rehearsalId: String(rehearsal.body.id),
    erasureId: String(erasure.body.id),
    endpointId: endpointIds[77 % endpointIds.length]!,
    eventId: String(firstId + 77),
    keyId: String(key.body.id),
  };
}

/** Counts of attempts of a day, and calls of 400 days. */
async function fillCounts(
  { db }: Mongo,
  accountId: string,
  endpointIds: readonly string[],
  keyId: string,
): Promise<void> {
  const counts = countOf({ number: 1, succeeded: true, errorCode: null, statusCode: 200, latencyMs: 20 });
  await createAttemptCountStore(db).add(
    endpointIds.flatMap((endpointId) =>
      Array.from({ length: 60 }, (_, n) => ({
        accountId,
        endpointId,
        at: new Date(Date.now() - n * 300_000),
        counts,
      })),
    ),
  );
  const days = Array.from({ length: 400 }, (_, n) => new Date(Date.now() - n * 86_400_000).toISOString().slice(0, 10));
  await createUsageStore(db).add(
    days.map((day) => ({
      account_id: accountId,
      day,
      key_id: keyId,
      product: 'weh',
      operation: 'estimateCost',
      calls: 1,
    })),
  );
}

import { fakedClock, findFaketime, NO_FAKETIME } from '../cluster/faked-clock';
import { type Checks, createChecks, type Fault, quickIn, skipped } from '../fault';
import { registerAccount } from '../tenant';
import type { Testbed } from '../testbed';
import { createApi } from '../api';
import { within } from '../waiting';

const HOUR_MS = 3_600_000;
/** Calls a minute of the tier `narrow`. */
const NARROW = 40;
/** Of the API, and of the worker. */
const SHIFTS = [
  ['+1h', '-1h'],
  ['-1h', '+1h'],
] as const;
const NORMAL = 0;
const SHIFTED = 1;

export const clockShift: Fault = {
  name: 'clock-shift',
  title: "one API's clock is an hour ahead and one worker's an hour behind (faketime); full: then the other way round",
  criterion: 'no early idempotency expiry, no wrong 429, no reused id; retries keep their pace',
  ways: quickIn('express'),
  nightly: 'test/time and test/breakage/cluster-time have clocks that differ',
  async run(testbed, counts) {
    const library = findFaketime();
    if (library === undefined) return skipped(NO_FAKETIME);
    const checks = createChecks();
    const ids = new Set<number>();
    const [, api] = testbed.cluster.apis;
    const [worker] = testbed.cluster.workers;
    const clock = (shift: string) => fakedClock(library, shift);
    // Not killed before they start again: libfaketime leaves its shared memory behind then.
    try {
      for (const [shift, other] of counts.profile === 'quick' ? SHIFTS.slice(0, 1) : SHIFTS) {
        await Promise.all([api.restart({ env: clock(shift) }), worker.restart({ env: clock(other) })]);
        checks.hold(await isShifted(testbed, shift), `the API's clock is not shifted by ${shift}`);
        await checkIdempotency(testbed, checks, shift);
        await checkLimit(testbed, checks, shift);
        await checkIdsAndPace(testbed, checks, { ids, events: counts.clockEvents, shift });
      }
    } finally {
      await Promise.all([api.restart(), worker.restart()]);
    }
    checks.figure('distinct ids', ids.size);
    return checks.outcome();
  },
};

/** The Date header is the process's own clock. */
async function isShifted({ cluster }: Testbed, shift: string): Promise<boolean> {
  const { headers } = await createApi([cluster.urls[SHIFTED]], undefined).call('GET', '//healthz');
  const aheadMs = Date.parse(headers.get('date') ?? '') - Date.now();
  return Math.abs(aheadMs - (shift === '+1h' ? HOUR_MS : -HOUR_MS)) < 60_000;
}

/** A key that is 23 h 30 min old is in its window everywhere; one of 24 h 30 min is nowhere. */
async function checkIdempotency(testbed: Testbed, checks: Checks, shift: string): Promise<void> {
  const { cluster } = testbed;
  const tenant = await testbed.open('clock-idempotency', { endpoints: [{ delayMs: 0 }] });
  const ingest = (which: number, key: string) =>
    tenant.api.call('POST', '/events', { type: 'a.b', data: { serial: 1 }, idempotency_key: key }, cluster.urls[which]);
  const age = async (key: string, minutes: number): Promise<void> => {
    const records = cluster.mongo.db.collection<{ _id: string }>('idempotency_keys');
    const older = { $subtract: ['$expires_at', minutes * 60_000] };
    const { modifiedCount } = await records.updateOne({ _id: `${tenant.accountId}:${key}` }, [
      { $set: { expires_at: older } },
    ]);
    checks.hold(modifiedCount === 1, 'the idempotency record could not be aged');
  };
  for (const [first, second] of [
    [NORMAL, SHIFTED],
    [SHIFTED, NORMAL],
  ] as const) {
    const key = `young-${first}`;
    const original = await ingest(first, key);
    await age(key, 23 * 60 + 30);
    const repeat = await ingest(second, key);
    const isSame = original.status === 202 && repeat.status === 200 && repeat.body.id === original.body.id;
    const story = `${original.status} ${original.text}, then ${repeat.status} ${repeat.text}`;
    checks.hold(isSame, `${shift}: a key of 23 h 30 min was not in its window: ${story}`);
    await age(key, 60);
    const fresh = await ingest(second, key);
    const isNew = fresh.status === 202 && fresh.body.id !== original.body.id;
    checks.hold(isNew, `${shift}: a key of 24 h 30 min was in its window: ${fresh.status} ${fresh.text}`);
  }
}

/** Exactly the tier's calls are allowed in a window that both processes see alike. */
async function checkLimit({ cluster }: Testbed, checks: Checks, shift: string): Promise<void> {
  const { key } = await registerAccount(cluster, 'narrow');
  const api = createApi(cluster.urls, key);
  const resets = new Set<string | null>();
  let allowed = 0;
  const startedAt = Date.now();
  for (let call = 0; call < NARROW + 10; call += 1) {
    const { status, headers, text } = await api.call('GET', '/endpoints');
    if (status === 200) allowed += 1;
    else if (status !== 429) checks.hold(false, `${shift}: a call was answered ${status}: ${text}`);
    resets.add(headers.get('x-ratelimit-reset'));
  }
  const tookMs = Date.now() - startedAt;
  checks.figure(`allowed of ${NARROW + 10} at ${NARROW} a minute, ${shift}`, allowed);
  // Only when all of them were in one window.
  if (tookMs < 60_000) checks.hold(allowed === NARROW, `${shift}: ${allowed} calls were allowed instead of ${NARROW}`);
  checks.hold(resets.size === 1, `${shift}: the APIs disagree on when the window ends: ${[...resets].join(', ')}`);
}

/** Sends events through both APIs: distinct ids, and a second attempt after one second, in any process. */
async function checkIdsAndPace(
  testbed: Testbed,
  checks: Checks,
  { ids, events, shift }: { ids: Set<number>; events: number; shift: string },
): Promise<void> {
  const tenant = await testbed.open('clock-ids', { endpoints: [{ failFirst: 1, delayMs: 10 }] });
  const before = ids.size;
  const load = await tenant.load(50);
  await within(60_000, async () => (await load.progress()).acknowledged >= events, 20);
  await load.stop();
  const verdict = await tenant.settle();
  const { acknowledged } = tenant.ledger();
  for (const { id } of acknowledged) ids.add(id);
  checks.hold(ids.size - before === acknowledged.length, `${shift}: an id was given twice`);
  checks.hold(verdict.lost.length === 0, `${shift}: ${verdict.lost.length} events were not delivered in a minute`);
  checks.hold(verdict.mostAttempts === 2, `${shift}: a delivery took ${verdict.mostAttempts} attempts instead of 2`);
  checks.hold(verdict.invented === 0 && verdict.doubled.length === 0, `${shift}: events that no client sent`);
}

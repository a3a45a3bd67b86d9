import { createApi } from '../api';
import { createChecks, type Fault } from '../fault';
import { registerAccount } from '../scene';
import { inLanes, pass } from '../waiting';

const PER_ACCOUNT = 100;
/** Who waits for a look-up waits ten seconds: that is what `quick` tells, on a machine that may be busy otherwise. */
const HEALTHY_LAG_MS = { quick: 5_000, full: 1_000 };
/** An event goes to a tenth of an account's names: what is to be seen is waiting, not a burst. */
const GROUPS = 10;
/** In this time each name is asked for by an event, and again and again by its retries. */
const LASTS_MS = { quick: 16_000, full: 40_000 };
const BEFORE_MS = 8_000;

export const dnsBlackHoles: Fault = {
  name: 'dns-black-holes',
  title: 'destinations whose name servers never answer; full: 400 names',
  criterion:
    'healthy lag < 1 s (quick: < 5 s; p99, from acknowledgement to arrival; where it is more without them, not twice that)',
  limitSeconds: { quick: 150, full: 300 },
  async run(stage, counts) {
    const checks = createChecks();
    const healthy = await stage.open('dns-healthy');
    const accounts = await inLanes(
      Array.from({ length: Math.ceil(counts.blackHoles / PER_ACCOUNT) }, (_, index) => index),
      4,
      async (index) => {
        const { key } = await registerAccount(stage.cluster, 'chaos');
        const api = createApi(stage.cluster.urls, key);
        const names = Math.min(PER_ACCOUNT, counts.blackHoles - index * PER_ACCOUNT);
        for (let name = 0; name < names; name += 1) {
          const url = `https://n${index}-${name}.hole.test/hook`;
          const { status } = await api.insist('POST', '/endpoints', { url, events: [`hole.${name % GROUPS}`] });
          if (status !== 201) throw new Error(`an endpoint was refused with ${status}`);
        }
        return api;
      },
    );
    const events: { api: (typeof accounts)[number]; id: number }[] = [];
    const before = await stage.open('dns-before');
    const quiet = await before.load(counts.perSecond / 2);
    await pass(BEFORE_MS);
    await quiet.stop();
    const { lagP99Ms: beforeMs } = await before.settle(30_000);
    const load = await healthy.load(counts.perSecond / 2);
    const turns = accounts.length * GROUPS;
    for (let turn = 0; turn < turns; turn += 1) {
      const api = accounts[turn % accounts.length]!;
      const type = `hole.${Math.floor(turn / accounts.length) % GROUPS}`;
      const { body } = await api.insist('POST', '/events', { type, data: { serial: -1 } });
      events.push({ api, id: body.id as number });
      await pass(LASTS_MS[counts.profile] / turns);
    }
    await load.stop();
    const verdict = await healthy.settle(30_000);
    checks.figure('black-holed names', counts.blackHoles);
    const shown = await Promise.all(events.map(async ({ api, id }) => (await api.insist('GET', `/events/${id}`)).body));
    const attempts = shown.flatMap((event) =>
      (event.deliveries as { attempts: { error_code: string }[] }[]).flatMap((delivery) => delivery.attempts),
    );
    checks.figure('look-ups that nobody answered', attempts.length);
    const others = new Set(
      attempts.map((it) => it.error_code).filter((code) => !['dns_error', 'timeout'].includes(code)),
    );
    checks.hold(attempts.length > 0 && others.size === 0, `attempts ended otherwise: ${[...others].join(', ')}`);
    checks.figure('healthy deliveries', verdict.posts);
    checks.figure('healthy lag p99 before ms', beforeMs);
    checks.figure('healthy lag p50 ms', verdict.lagP50Ms);
    checks.figure('healthy lag p99 ms', verdict.lagP99Ms);
    checks.hold(verdict.lost.length === 0, `${verdict.lost.length} healthy events were not delivered`);
    const mostMs = Math.max(HEALTHY_LAG_MS[counts.profile], 2 * beforeMs);
    checks.hold(verdict.lagP99Ms < mostMs, `healthy deliveries lag by ${verdict.lagP99Ms} ms`);
    return checks.outcome();
  },
};

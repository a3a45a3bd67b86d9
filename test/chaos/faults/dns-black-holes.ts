import { createApi } from '../api';
import { createChecks, type Fault } from '../fault';
import { registerAccount } from '../scene';
import { inLanes, pass } from '../waiting';

const PER_ACCOUNT = 100;
const HEALTHY_LAG_MS = 1_000;
/** An event goes to a tenth of an account's names: what is to be seen is waiting, not a burst. */
const GROUPS = 10;
const EVENTS_PER_SECOND = 4;
/** Names are asked for again and again: by new events, and by each one's retries. */
const LASTS_MS = { quick: 16_000, full: 30_000 };

export const dnsBlackHoles: Fault = {
  name: 'dns-black-holes',
  title: 'destinations whose name servers never answer; full: 400 names',
  criterion: 'healthy lag < 1 s (p99, from acknowledgement to arrival)',
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
    const load = await healthy.load(counts.perSecond);
    const endsAt = Date.now() + LASTS_MS[counts.profile];
    for (let turn = 0; Date.now() < endsAt; turn += 1) {
      const api = accounts[turn % accounts.length]!;
      const type = `hole.${Math.floor(turn / accounts.length) % GROUPS}`;
      const { body } = await api.insist('POST', '/events', { type, data: { serial: -1 } });
      events.push({ api, id: body.id as number });
      await pass(1_000 / EVENTS_PER_SECOND);
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
    checks.figure('healthy lag p50 ms', verdict.lagP50Ms);
    checks.figure('healthy lag p99 ms', verdict.lagP99Ms);
    checks.hold(verdict.lost.length === 0, `${verdict.lost.length} healthy events were not delivered`);
    checks.hold(verdict.lagP99Ms < HEALTHY_LAG_MS, `healthy deliveries lag by ${verdict.lagP99Ms} ms`);
    return checks.outcome();
  },
};

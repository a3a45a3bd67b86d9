import { createApi, type Api } from '../api';
import { createChecks, type Fault, quickIn } from '../fault';
import { registerAccount } from '../tenant';
import { holdHealthyLag } from '../verdict-checks';
import { inLanes, pass, within } from '../waiting';

const PER_ACCOUNT = 100;
/** An event goes to a tenth of an account's names: what is to be seen is waiting, not a burst. */
const GROUPS = 10;
/** With two attempts each, some seventy look-ups are open at a time, and the machine keeps up with them. */
const SCHEDULE_S = { quick: [0], full: [0, 5] };
/**
 * With five names a second, the two processors of our machine were fully used, and the row measured a slow hour of it.
 */
const LASTS_MS = { quick: 5_000, full: 120_000 };
/** This long after the last event, no look-up is left that the next row would wait for. */
const ALL_OVER_MS = 60_000;
const BEFORE_MS = { quick: 4_000, full: 8_000 };

interface ShownDelivery {
  readonly state: string;
  readonly attempts: readonly { readonly error_code: string }[];
}

export const dnsBlackHoles: Fault = {
  name: 'dns-black-holes',
  title: 'destinations whose name servers never answer; full: 400 names',
  criterion:
    'healthy lag < 1 s (quick: < 5 s; p99, from acknowledgement to arrival; where it is more without them, not twice that)',
  ways: quickIn('workflow'),
  nightly: 'test/sender/failures has a name that no server answers',
  measuresTime: true,
  async run(testbed, counts) {
    const checks = createChecks();
    const healthy = await testbed.open('dns-healthy');
    const accounts = await inLanes(
      Array.from({ length: Math.ceil(counts.blackHoles / PER_ACCOUNT) }, (_, index) => index),
      4,
      async (index) => {
        const { key } = await registerAccount(testbed.cluster, 'chaos');
        const api = createApi(testbed.cluster.urls, key);
        const names = Math.min(PER_ACCOUNT, counts.blackHoles - index * PER_ACCOUNT);
        for (let name = 0; name < names; name += 1) {
          const url = `https://n${index}-${name}.hole.test/hook`;
          const { status } = await api.insist('POST', '/endpoints', {
            url,
            events: [`hole.${name % GROUPS}`],
            options: { retry_schedule: SCHEDULE_S[counts.profile] },
          });
          if (status !== 201) throw new Error(`an endpoint was refused with ${status}`);
        }
        return api;
      },
    );
    const events: { api: Api; id: number }[] = [];
    const before = await testbed.open('dns-before');
    const quiet = await before.load(counts.perSecond / 2);
    await pass(BEFORE_MS[counts.profile]);
    await quiet.stop();
    const { lagP99Ms: beforeMs } = await before.settle();
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
    const verdict = await healthy.settle();
    checks.figure('black-holed names', counts.blackHoles);
    checks.figure('names a second', Number(((counts.blackHoles * 1_000) / LASTS_MS[counts.profile]).toFixed(1)));
    let deliveries: ShownDelivery[] = [];
    await within(
      ALL_OVER_MS,
      async () => {
        deliveries = (await inLanes(events, 4, deliveriesOf)).flat();
        return deliveries.every(({ state }) => state === 'failed');
      },
      2_000,
    );
    const attempts = deliveries.flatMap((delivery) => delivery.attempts);
    checks.figure('look-ups without an answer', attempts.length);
    const others = new Set(
      attempts.map((it) => it.error_code).filter((code) => !['dns_error', 'timeout'].includes(code)),
    );
    checks.hold(others.size === 0, `attempts ended otherwise: ${[...others].join(', ')}`);
    checks.hold(attempts.length === SCHEDULE_S[counts.profile].length * counts.blackHoles, 'some look-ups are missing');
    checks.figure('healthy deliveries', verdict.posts);
    holdHealthyLag(checks, verdict, { profile: counts.profile, beforeMs });
    return checks.outcome();
  },
};

async function deliveriesOf({ api, id }: { api: Api; id: number }): Promise<ShownDelivery[]> {
  return (await api.insist('GET', `/events/${id}`)).body.deliveries as ShownDelivery[];
}

import { createApi } from '../api';
import { createChecks, type Fault, quickIn } from '../fault';
import { inLanes, within } from '../waiting';

const CALLS = 100;
/** Keys at a time: each has its hundred calls under way at once. */
const LANES = 2;

export const idempotencyRace: Fault = {
  name: 'idempotency-race',
  title: '100 concurrent calls with one idempotency key, at both APIs; full: × 1,000 keys',
  criterion: 'one event each',
  ways: quickIn('workflow'),
  nightly: 'test/api/ingest-event has 40 calls with one key at two APIs',
  async run(testbed, counts) {
    const checks = createChecks();
    const tenant = await testbed.open('idempotency-race', { endpoints: [{ delayMs: 0 }] });
    const api = createApi(testbed.cluster.urls, tenant.key);
    const serials = Array.from({ length: counts.idempotencyKeys }, (_, index) => index + 1);
    const ids = new Map<number, number>();
    const counted = { created: 0, repeated: 0, other: 0 };
    await inLanes(serials, LANES, async (serial) => {
      const body = { type: 'order.created', data: { serial }, idempotency_key: `race-${serial}` };
      const answers = await Promise.all(Array.from({ length: CALLS }, () => api.call('POST', '/events', body)));
      const created = answers.filter(({ status }) => status === 202).length;
      // A refused call has no id.
      const distinct = new Set(
        answers.flatMap(({ body: answer }) => (answer?.id === undefined ? [] : [answer.id as number])),
      );
      counted.created += created;
      counted.repeated += answers.filter(({ status }) => status === 200).length;
      counted.other += answers.filter(({ status }) => status !== 200 && status !== 202).length;
      checks.hold(created === 1, `${created} of ${CALLS} calls with key ${serial} were told that they made the event`);
      checks.hold(distinct.size === 1, `calls with key ${serial} got ${distinct.size} ids`);
      ids.set(serial, [...distinct][0]!);
    });
    checks.figure('calls', serials.length * CALLS);
    checks.figure('answered 202', counted.created);
    checks.figure('answered 200', counted.repeated);
    checks.hold(counted.other === 0, `${counted.other} calls were answered otherwise`);
    checks.figure('distinct events', new Set(ids.values()).size);
    checks.hold(new Set(ids.values()).size === serials.length, 'two keys share an event');
    const arrived = await within(120_000, () => tenant.received().length >= serials.length);
    checks.hold(arrived, 'not every event arrived');
    const posts = tenant.received();
    checks.figure('requests at the receiver', posts.length);
    const strange = posts.filter(({ serial, id }) => ids.get(serial) !== id).length;
    checks.hold(posts.length === serials.length && strange === 0, 'the receiver got more than one event for each key');
    return checks.outcome();
  },
};

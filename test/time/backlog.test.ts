import { EVENTS, useEndpointTestbed } from '../support/build-endpoint-testbed';
import { receivedIds } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';

// A resume with a rate: what waited arrives one interval apart, from every process, and the rate ends by itself.

const PER_SECOND = 20;
/** Fewer than three processes release at once: the rate must outlive their first looks. */
const COUNT = 60;
const TYPE = 'order.created';

const testbed = useEndpointTestbed('0s,1h,1h');
const receiver = useReceiver();

it('two processes send what waited at the rate of the resume, also what arrives meanwhile; then the rate ends', async () => {
  const { here, there, path } = testbed;
  const id = await testbed.register(receiver.url, { events: [TYPE] });
  const ingest = async (api: typeof here): Promise<number> =>
    (await testbed.send(id, { type: TYPE, data: {} }, api)).eventId;
  await testbed.act('POST', id, '/pause');
  const waiting = await Promise.all(Array.from({ length: COUNT }, (_, n) => ingest(n % 2 ? here : there)));
  const resumedAt = (await path.parts.stores.dispatch.now()).getTime();

  const resumed = await testbed.act('POST', id, '/resume', { backlog_per_second: PER_SECOND });

  expect(resumed).toMatchObject({ status: 'active', backlog: { per_second: PER_SECOND } });
  const late = await Promise.all([ingest(here), ingest(there)]);
  const [first] = await path.events.find({ _id: { $in: late } }).toArray();
  expect(first!.destinations[0]).toMatchObject({ held_for: 'at_rate' });
  await eventually(
    () => {
      // The gate of a third process, beside those of the two.
      path.parts.gate.look(id);
      return path.events.countDocuments({ type: TYPE, finished_at: null });
    },
    (unfinished) => unfinished === 0,
  );
  const ids = [...waiting, ...late];
  expect(receivedIds(receiver).toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
  const attempts = await path.attempts.find({ endpoint_id: id }).toArray();
  const starts = attempts.map(({ answer }) => answer!.started_at.getTime()).toSorted((a, b) => a - b);
  // Each turn is an interval after the one before it. A timer counts whole milliseconds.
  for (const [turn, at] of starts.entries()) expect(at).toBeGreaterThan(resumedAt + (turn * 1_000) / PER_SECOND - 2);

  await eventually(
    () => here.get(`/api/v1/webhooks/endpoints/${id}`),
    ({ body }) => body.backlog === null,
  );
  for (const api of [here, there]) {
    await testbed.act('PATCH', id, '', { description: 'read again by every process' });
    const next = await api.post(EVENTS, { type: TYPE, data: {} });
    const event = await path.event(next.body.id);
    expect(event.destinations[0]).not.toHaveProperty('held_for', 'at_rate');
  }
});

import type { DeliveryRef } from '../../src/domain/delivery-contract';
import { createAutoDisableStore } from '../../src/endpoints/auto-disable-store';
import { BY_COMMAND_LINE } from '../../src/domain/audit-actions';
import { holdAnswers, ownType, receivedIds } from '../support/build-data-path';
import { ENDPOINTS, EVENTS, useEndpointTestbed } from '../support/build-endpoint-testbed';
import { buildReceiver, useReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';

// What happens to deliveries in flight when their endpoint is paused, resumed, changed or removed under them.

// An attempt fails and the next one is far away: what comes earlier was made to come.
const testbed = useEndpointTestbed('0s,1h,1h');
const receiver = useReceiver();

/** An endpoint that subscribes to its own type of events. */
async function registerOwn(url = receiver.url): Promise<{ type: string; id: string }> {
  const type = ownType();
  return { type, id: await testbed.register(url, { events: [type] }) };
}

describe('pause and resume', () => {
  it('a pause during a request that succeeds: the delivery is delivered', async () => {
    const release = holdAnswers(receiver, 200);
    const { id, type } = await registerOwn();
    const ref = await testbed.send(id, { type });
    await receiver.waitFor(1);

    await testbed.act('POST', id, '/pause');
    release();

    await testbed.untilState(ref, 'delivered', 1);
    expect(receiver.requests).toHaveLength(1);
  });

  it('a pause during a request that fails: the attempt counts, and the retry waits for the resume', async () => {
    const release = holdAnswers(receiver, 503);
    const { id, type } = await registerOwn();
    const ref = await testbed.send(id, { type });
    await receiver.waitFor(1);

    await testbed.act('POST', id, '/pause');
    release();
    await testbed.untilState(ref, 'retrying', 1);
    await testbed.retryNow(ref, 2);
    await testbed.untilHeld(ref);
    expect(receiver.requests).toHaveLength(1);
    expect(await testbed.path.destination(ref)).toMatchObject({ state: 'retrying', attempt_count: 1 });

    receiver.answerWith(200);
    await testbed.act('POST', id, '/resume');
    await testbed.untilState(ref, 'delivered', 2);
    expect(receiver.requests).toHaveLength(2);
  });

  it('concurrent pauses and resumes end in the last state requested, and lose nothing', async () => {
    const { id, type } = await registerOwn();
    const refs = [];
    for (let round = 0; round < 6; round += 1) {
      const [ref] = await Promise.all([
        testbed.send(id, { type }, round % 2 === 0 ? testbed.here : testbed.there),
        testbed.act('POST', id, '/pause'),
        testbed.act('POST', id, '/resume'),
        testbed.act('POST', id, '/pause'),
      ]);
      refs.push(ref);
    }
    await testbed.act('POST', id, '/resume');

    for (const ref of refs) await testbed.untilState(ref, 'delivered', 1);
    const ids = receivedIds(receiver);
    expect([ids.length, new Set(ids)]).toEqual([refs.length, new Set(refs.map(({ eventId }) => eventId))]);
  });

  it('a disabled endpoint stays disabled when paused, holds its events, and delivers them after a resume', async () => {
    const { id, type } = await registerOwn();
    const autoDisable = createAutoDisableStore(testbed.path.mongo.db);
    expect(await autoDisable.disable(id, 'gone', { by: 'an answer' })).toMatchObject({ status: 'disabled' });
    expect(await testbed.act('POST', id, '/pause')).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
    const ref = await testbed.send(id, { type });
    await testbed.untilHeld(ref);

    const resumed = await testbed.act('POST', id, '/resume');

    expect(resumed).toMatchObject({ status: 'active' });
    expect(resumed).not.toHaveProperty('disabled_reason');
    await testbed.untilState(ref, 'delivered', 1);
  });

  it('a test event goes only to its endpoint, whatever the patterns, and is held while the endpoint is paused', async () => {
    const other = await testbed.register(`${receiver.url}/other`, { events: ['*'] });
    const id = await testbed.register(receiver.url, { events: [ownType()], options: { filter: { never: 'met' } } });
    await testbed.act('POST', id, '/pause');
    const accepted = (await testbed.act('POST', id, '/test')) as { id: number; type: string; deliveries: number };
    expect(accepted).toMatchObject({ type: 'endpoint.test', deliveries: 1, duplicate: false });
    const ref = { eventId: accepted.id, endpointId: id, run: 1 };
    await testbed.untilHeld(ref);

    await testbed.act('POST', id, '/resume');
    await testbed.untilState(ref, 'delivered', 1);

    const { body } = await testbed.here.get(`${EVENTS}/${accepted.id}`);
    expect(body).toMatchObject({ type: 'endpoint.test', status: 'delivered', data: { endpoint_id: id } });
    expect(receiver.requests.map(({ path: at, headers }) => [at, headers['x-webhook-type']])).toEqual([
      ['/hook', 'endpoint.test'],
    ]);
    await testbed.act('DELETE', other);
  });
});

describe('change', () => {
  it('a changed URL applies to the next attempt of a delivery in flight, and the history shows each URL', async () => {
    const elsewhere = await buildReceiver();
    try {
      receiver.answerWith(503);
      const { id, type } = await registerOwn();
      const ref = await testbed.send(id, { type });
      await testbed.untilState(ref, 'retrying', 1);

      await testbed.act('PATCH', id, '', { url: elsewhere.url });
      await testbed.retryNow(ref, 2);

      await testbed.untilState(ref, 'delivered', 2);
      expect([receiver.requests.length, elsewhere.requests.length]).toEqual([1, 1]);
      const history = await testbed.path.history(ref.eventId);
      expect(history.map(({ answer }) => answer.url)).toEqual([receiver.url, elsewhere.url]);
    } finally {
      await elsewhere.close();
    }
  });

  it('changed patterns apply to the very next event in every process, every time', async () => {
    const { id, type } = await registerOwn();
    await testbed.act('POST', id, '/pause');
    for (let round = 0; round < 6; round += 1) {
      const matches = round % 2 === 1;
      await testbed.act('PATCH', id, '', { events: [matches ? type : 'nothing'] });
      for (const api of [testbed.there, testbed.here]) {
        const { body } = await api.post(EVENTS, { type, data: {} });
        expect([round, body.deliveries]).toEqual([round, matches ? 1 : 0]);
      }
    }
    await testbed.act('DELETE', id);
  });
});

describe('removal', () => {
  it('deliveries waiting for a retry are cancelled at once, and their executions end then', async () => {
    receiver.answerWith(503);
    const { id, type } = await registerOwn();
    const refs = await Promise.all(Array.from({ length: 10 }, () => testbed.send(id, { type })));
    for (const ref of refs) await testbed.untilState(ref, 'retrying', 1);

    await testbed.act('DELETE', id);

    for (const ref of refs) {
      const event = await testbed.path.event(ref.eventId);
      expect(event.destinations[0]).toMatchObject({ state: 'cancelled', attempt_count: 1, next_attempt_at: null });
      expect(event.finished_at).toBeInstanceOf(Date);
    }
    for (const ref of refs) await testbed.retryNow(ref, 2);
    for (const ref of refs) expect(await testbed.ending(ref)).toBe('COMPLETED');
    expect(receiver.requests).toHaveLength(10);
    const { body } = await testbed.here.get(`${EVENTS}/${refs[0]!.eventId}`);
    expect(body).toMatchObject({ status: 'cancelled', deliveries: [{ state: 'cancelled', url: receiver.url }] });
  });

  it.each([
    [204, 'at once', 'delivered'],
    [503, 'at once', 'cancelled'],
    [204, 'late', 'delivered'],
    [503, 'late', 'cancelled'],
  ] as const)('a request under way that is answered %i %s makes its delivery %s', async (status, when, state) => {
    const release = holdAnswers(receiver, status);
    const { id, type } = await registerOwn();
    const ref = await testbed.send(id, { type });
    await receiver.waitFor(1);

    await testbed.act('DELETE', id);
    expect(await testbed.path.destination(ref)).toMatchObject({ state: 'cancelled' });
    // Late: when its workflow task waits for the receiver no longer.
    if (when === 'late') await untilLeft(ref);
    release();

    await testbed.untilState(ref, state, 1);
    // Its execution waits for the next attempt, and then finds that there is none.
    if (state === 'cancelled') await testbed.retryNow(ref, 2);
    expect(await testbed.ending(ref)).toBe('COMPLETED');
    expect(await testbed.path.destination(ref)).toMatchObject({ state, attempt_count: 1 });
    expect(receiver.requests).toHaveLength(1);
  });

  /** Waits until the workflow has left its first try: it has cancelled the delivery, or requests the answer again. */
  async function untilLeft(ref: DeliveryRef): Promise<void> {
    await eventually(
      () => testbed.path.handleOf(ref).fetchHistory(),
      ({ events }) => events!.some((event) => event.activityTaskScheduledEventAttributes),
    );
  }

  it("an event's other deliveries continue", async () => {
    const type = ownType();
    const [gone, held] = [
      await testbed.register(receiver.url, { events: [type] }),
      await testbed.register(`${receiver.url}/held`, { events: [type] }),
    ];
    await testbed.act('POST', gone, '/pause');
    await testbed.act('POST', held, '/pause');
    const ref = await testbed.send(gone, { type });

    await testbed.act('DELETE', gone);
    expect(await testbed.path.event(ref.eventId)).toMatchObject({ finished_at: null });
    await testbed.act('POST', held, '/resume');

    await testbed.untilState({ ...ref, endpointId: held }, 'delivered', 1);
    const event = await testbed.path.event(ref.eventId);
    expect(event.finished_at).toBeInstanceOf(Date);
    expect(receiver.requests.map(({ path: at }) => at)).toEqual(['/hook/held']);
  });

  it('a repeated ingest after the removal gets the original event, and sends nothing', async () => {
    receiver.answerWith(503);
    const type = ownType();
    const event = { type, data: { n: 1 }, idempotency_key: type };
    const id = await testbed.register(receiver.url, { events: [type] });
    const ref = await testbed.send(id, event);
    await testbed.untilState(ref, 'retrying', 1);
    await testbed.act('DELETE', id);
    const again = await testbed.register(`${receiver.url}/again`, { events: [type] });

    const repeat = await testbed.there.post(EVENTS, event);

    expect([repeat.status, repeat.body]).toEqual([
      200,
      expect.objectContaining({ id: ref.eventId, duplicate: true, deliveries: 1 }),
    ]);
    expect((await testbed.path.event(ref.eventId)).destinations).toMatchObject([
      { endpoint_id: id, state: 'cancelled' },
    ]);
    await testbed.act('DELETE', again);
    expect(receiver.requests).toHaveLength(1);
  });

  it.each(['active', 'paused'] as const)(
    'an event that another process still accepted for it while it was %s is cancelled without a request',
    async (status) => {
      const type = ownType();
      const id = await testbed.path.endpoint(receiver.url, type);
      await testbed.path.endpoints.updateOne({ _id: id }, { $set: { status } });
      const { accounts, endpoints } = testbed.path.parts.stores;
      const stale = await endpoints.listByAccount(testbed.path.accountId);
      await endpoints.remove(id, BY_COMMAND_LINE);
      await accounts.bumpEndpointsVersion(testbed.path.accountId);

      const { ref } = await testbed.path.promise(type, {
        deps: {
          endpointCache: { endpointsOf: () => Promise.resolve(stale) },
          dispatcher: testbed.path.parts.dispatcher,
        },
      });

      await testbed.untilState({ ...ref, endpointId: id }, 'cancelled', 0);
      expect(receiver.requests).toHaveLength(0);
    },
  );

  it("during a stream of events in two processes, it leaves no delivery unfinished, and later events don't match", async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id, type } = await registerOwn();
      let removed = false;
      const late: number[] = [];
      const pour = async (api: typeof testbed.here): Promise<void> => {
        while (!removed) await api.post(EVENTS, { type, data: {} });
        late.push((await api.post(EVENTS, { type, data: {} })).body.deliveries as number);
      };
      const remove = async (): Promise<void> => {
        await receiver.waitFor((round + 1) * 2);
        expect((await testbed.there.delete(`${ENDPOINTS}/${id}`)).status).toBe(204);
        removed = true;
      };
      await Promise.all([pour(testbed.here), pour(testbed.there), pour(testbed.here), remove()]);
      expect(late).toEqual([0, 0, 0]);

      const states = await eventually(
        () =>
          testbed.path.events
            .find({ 'destinations.endpoint_id': id })
            .map(({ destinations: [it] }) => it!.state)
            .toArray(),
        (all) => all.every((state) => state === 'delivered' || state === 'cancelled'),
      );
      expect(states.length).toBeGreaterThan(0);
    }
  });
});

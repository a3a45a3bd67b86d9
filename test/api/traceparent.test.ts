import type { StoredEvent } from '../../src/stores/event-store';
import { useCaller } from '../support/build-caller';
import { ownType } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';
import { useStack } from '../support/build-stack';

// The caller's `traceparent` while tracing is off: Everpost passes it on, and adds nothing. test/breakage/tracing.test.ts
// has the rest.

const EVENTS = '/api/v1/webhooks/events';
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const stack = useStack();
const api = useCaller(stack);
const receiver = useReceiver();

/** Registers an endpoint, and sends it an event. @returns the event as stored, and the header that the receiver got */
async function send(options: object, traceparent?: string) {
  const type = ownType();
  await api.register({ url: receiver.url, events: [type], options });
  const { body } = await api.post(EVENTS, { type, data: {} }, traceparent === undefined ? {} : { traceparent });
  await api.untilEvent(body.id, 'delivered');
  const stored = await stack.mongo.db.collection<StoredEvent>('events').findOne({ _id: body.id });
  return { id: body.id as number, stored: stored!, received: receiver.requests.at(-1)!.headers['traceparent'] };
}

it('reaches a receiver that asks for it, and the history shows it', async () => {
  const { id, received } = await send({ send_traceparent: true }, TRACEPARENT);

  expect(received).toBe(TRACEPARENT);
  const [{ id: deliveryId }] = (await api.get(`${EVENTS}/${id}`)).body.deliveries;
  const { attempts } = (await api.get(`/api/v1/webhooks/deliveries/${deliveryId}`)).body;
  expect(attempts[0].request_headers.traceparent).toBe(TRACEPARENT);
});

it('does not reach a receiver that does not ask for it', async () => {
  const { stored, received } = await send({}, TRACEPARENT);

  expect([stored.traceparent, received]).toEqual([TRACEPARENT, undefined]);
});

it.each([undefined, 'not-a-traceparent', '00-00000000000000000000000000000000-b7ad6b7169203331-01'])(
  'adds nothing to an event if it is %s',
  async (traceparent) => {
    const { stored, received } = await send({ send_traceparent: true }, traceparent);

    expect(stored).not.toHaveProperty('traceparent');
    expect(received).toBeUndefined();
  },
);

it("wins over an endpoint's static header of that name", async () => {
  const headers = { Traceparent: '00-11111111111111111111111111111111-1111111111111111-00' };

  expect((await send({ send_traceparent: true, headers }, TRACEPARENT)).received).toBe(TRACEPARENT);
});

it('is the same for each event of a batch', async () => {
  const events = [ownType(), ownType()].map((type) => ({ type, data: {} }));
  const { body } = await api.post(`${EVENTS}/batch`, { events }, { traceparent: TRACEPARENT });
  const ids = body.results.map(({ id }: { id: number }) => id);

  const stored = await stack.mongo.db
    .collection<StoredEvent>('events')
    .find({ _id: { $in: ids } })
    .toArray();
  expect(stored.map(({ traceparent }) => traceparent)).toEqual([TRACEPARENT, TRACEPARENT]);
});

import { createHmac } from 'node:crypto';
import { useCaller } from '../support/build-caller';
import { useReceiver } from '../support/build-receiver';
import { useStack } from '../support/build-stack';

const stack = useStack();
const api = useCaller(stack);
const receiver = useReceiver();

it('an ingested event reaches its destination signed, with exactly the bytes of its data', async () => {
  const endpoint = await api.register({ url: receiver.url });
  const data = '{"n":12345678901234567890,"x":1.0,"b":1,"a":2,"2":0,"1":0}';

  const ingest = await api.post('/api/v1/webhooks/events', `{"type":"order.created","data": ${data} }`);
  expect(ingest.status).toBe(202);
  expect(ingest.body).toMatchObject({ type: 'order.created', duplicate: false, deliveries: 1 });

  const [request] = await receiver.waitFor(1);
  const { id, timestamp } = ingest.body;
  expect(request!.body.toString()).toBe(`{"id":${id},"type":"order.created","data":${data},"timestamp":${timestamp}}`);
  const hmac = createHmac('sha256', endpoint.secret).update(request!.body).digest('hex');
  expect(request!.headers['x-webhook-signature']).toBe(`sha256=${hmac}`);

  const event = await api.untilEvent(id, 'delivered');
  expect(event.text).toContain(`"data":${data}`);
  expect(event.body.deliveries[0]).toMatchObject({
    state: 'delivered',
    attempt_count: 1,
    max_attempts: 8,
    next_attempt_at: null,
    attempts: [{ number: 1, trigger: 'scheduled', status_code: 200, error_code: null }],
  });
});

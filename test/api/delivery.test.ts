import { createHmac } from 'node:crypto';
import { apiClient } from '../support/api-client';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { buildStack, type Stack } from '../support/build-stack';
import { eventually } from '../support/eventually';

let stack: Stack;
let receiver: Receiver;

beforeAll(async () => {
  stack = await buildStack();
  receiver = await buildReceiver();
  await stack.role.workerReady;
});

afterAll(async () => {
  await stack?.close();
  await receiver?.close();
});

test('an ingested event reaches the destination signed, with exactly the bytes of its data', async () => {
  const { key } = await stack.account();
  const api = apiClient(stack.url, key);
  const endpoint = await api.post('/api/v1/webhooks/endpoints', { url: receiver.url });
  expect(endpoint.status).toBe(201);
  const data = '{"n":12345678901234567890,"x":1.0,"b":1,"a":2,"2":0,"1":0}';

  const ingest = await api.post('/api/v1/webhooks/events', `{"type":"order.created","data": ${data} }`);
  expect(ingest.status).toBe(202);
  expect(ingest.body).toMatchObject({ type: 'order.created', duplicate: false, deliveries: 1 });

  const [request] = await receiver.waitFor(1);
  const { id, timestamp } = ingest.body;
  expect(request!.body.toString()).toBe(`{"id":${id},"type":"order.created","data":${data},"timestamp":${timestamp}}`);
  const hmac = createHmac('sha256', endpoint.body.secret).update(request!.body).digest('hex');
  expect(request!.headers['x-webhook-signature']).toBe(`sha256=${hmac}`);

  const event = await eventually(
    () => api.get(`/api/v1/webhooks/events/${id}`),
    ({ body }) => body.status === 'delivered',
  );
  expect(event.text).toContain(`"data":${data}`);
  expect(event.body.deliveries[0]).toMatchObject({
    state: 'delivered',
    attempt_count: 1,
    max_attempts: 8,
    next_attempt_at: null,
    attempts: [{ number: 1, trigger: 'scheduled', status_code: 200, error_code: null }],
  });
});

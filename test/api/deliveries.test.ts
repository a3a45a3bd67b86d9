import { deliveryWorkflowId } from '../../src/domain/delivery-contract';
import { createTemporalLink } from '../../src/platform/temporal';
import { createLogger } from '../../src/platform/logger';
import { apiClient, type ApiClient } from '../support/api-client';
import { buildApi } from '../support/build-api';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { buildStack, type Stack } from '../support/build-stack';
import { eventually } from '../support/eventually';

const DELIVERIES = '/api/v1/webhooks/deliveries';

let stack: Stack;
let receiver: Receiver;
let api: ApiClient;
let endpointId: string;
let key: string;

// The second attempt is the last one, and an hour away.
beforeAll(async () => {
  stack = await buildStack({ env: { RETRY_SCHEDULE: '0s,1h' } });
  await stack.role.workerReady;
});

afterAll(() => stack?.close());

beforeEach(async () => {
  receiver = await buildReceiver();
  ({ key } = await stack.account());
  api = apiClient(stack.url, key);
  endpointId = (await api.post('/api/v1/webhooks/endpoints', { url: receiver.url })).body.id;
});

afterEach(() => receiver.close());

/** Ingests an event. @returns the id of its delivery */
async function send(): Promise<string> {
  const event = await api.post('/api/v1/webhooks/events', { type: 'order.created', data: { n: 1 } });
  return `${event.body.id}.${endpointId}`;
}

function untilState(id: string, state: string, run = 1) {
  return eventually(
    () => api.get(`${DELIVERIES}/${id}`),
    ({ body }) => body.state === state && body.run === run,
  );
}

async function delivered(): Promise<string> {
  const id = await send();
  await untilState(id, 'delivered');
  return id;
}

async function retrying(): Promise<string> {
  receiver.answerWith(503);
  const id = await send();
  await untilState(id, 'retrying');
  return id;
}

describe('GET /deliveries/{id}', () => {
  test('shows the delivery with its attempts', async () => {
    const id = await delivered();

    const { status, body } = await api.get(`${DELIVERIES}/${id}`);

    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      event_id: Number(id.split('.')[0]),
      event_type: 'order.created',
      endpoint_id: endpointId,
      url: receiver.url,
      state: 'delivered',
      run: 1,
      attempt_count: 1,
      max_attempts: 2,
      next_attempt_at: null,
    });
    expect(body.attempts).toMatchObject([{ run: 1, number: 1, status_code: 200, url: receiver.url, resends: 0 }]);
    expect(Math.abs(Date.parse(body.accepted_at) - Date.now())).toBeLessThan(60_000);
  });

  test.each(['/', '/retry', '/cancel', '/replay'])(
    "answers another account's delivery and one that does not exist with the same 404: %s",
    async (operation) => {
      const id = await delivered();
      const stranger = apiClient(stack.url, (await stack.account()).key);
      const call = (of: string) =>
        operation === '/' ? stranger.get(`${DELIVERIES}/${of}`) : stranger.post(`${DELIVERIES}/${of}${operation}`);

      const answers = [
        await call(id),
        await call(`9007199254740991.${endpointId}`),
        await call(`9999999999999999.${endpointId}`),
        await call(`${id.split('.')[0]}.ep_00000000000000000000000000`),
      ];

      for (const { status, body } of answers) {
        expect(status).toBe(404);
        expect(body).toMatchObject({ error: 'There is no delivery with this id.', code: 'delivery_not_found' });
      }
      expect((await api.get(`${DELIVERIES}/${id}`)).body).toMatchObject({ state: 'delivered', run: 1 });
    },
  );

  test('answers a malformed id with 400', async () => {
    for (const id of ['1001', `x.${endpointId}`, '1001.ep_short', `-1.${endpointId}`]) {
      const { status, body } = await api.get(`${DELIVERIES}/${id}`);
      expect(status).toBe(400);
      expect(body.details).toMatchObject([{ path: 'delivery_id' }]);
    }
  });
});

describe('POST /deliveries/{id}/retry', () => {
  test('makes the attempt that is due in an hour now, and no other beside it', async () => {
    const id = await retrying();
    receiver.answerWith(200);

    const { status, body } = await api.post(`${DELIVERIES}/${id}/retry`);

    expect(status).toBe(202);
    expect(body).toMatchObject({ id, state: 'retrying', attempt_count: 1 });
    const after = await untilState(id, 'delivered');
    expect(after.body.attempts).toMatchObject([
      { number: 1, trigger: 'scheduled', status_code: 503 },
      { number: 2, trigger: 'manual', status_code: 200 },
    ]);
    expect(receiver.requests).toHaveLength(2);
  });

  test('asked ten times at once makes one attempt', async () => {
    const id = await retrying();

    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post(`${DELIVERIES}/${id}/retry`)));

    const statuses = answers.map(({ status, body }) => (status === 409 ? body.code : status));
    expect(statuses).toContain(202);
    // Who comes too late is told why.
    expect(statuses.filter((it) => ![202, 'attempt_under_way', 'delivery_finished'].includes(it))).toEqual([]);
    await untilState(id, 'failed');
    expect(receiver.requests).toHaveLength(2);
  });

  test('at the very moment at which the timer fires, one attempt is made', async () => {
    // Endpoint options beat the schedule of the installation: the second attempt is a second away.
    const options = { retry_schedule: [0, 1] };
    await api.call('PATCH', `/api/v1/webhooks/endpoints/${endpointId}`, { options });
    receiver.answerWith(503);
    const ids = await Promise.all(Array.from({ length: 12 }, () => send()));
    await Promise.all(ids.map((id) => untilState(id, 'retrying')));

    const answers = await Promise.all(
      ids.map(async (id, index) => {
        const { next_attempt_at: nextAt } = (await api.get(`${DELIVERIES}/${id}`)).body;
        // From 120 ms before its time to 100 ms after it.
        const moment = Date.parse(nextAt ?? new Date().toISOString()) + (index - 6) * 20;
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, moment - Date.now())));
        return api.post(`${DELIVERIES}/${id}/retry`);
      }),
    );
    const ended = await Promise.all(ids.map((id) => untilState(id, 'failed')));

    for (const { status } of answers) expect([202, 409]).toContain(status);
    for (const { body } of ended) expect(body.attempts.map(({ number }: { number: number }) => number)).toEqual([1, 2]);
    expect(receiver.requests).toHaveLength(24);
  });

  test('while an attempt is under way answers 409, and makes none beside it', async () => {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    receiver.answerWith(() => answered.then(() => 200));
    const id = await send();
    await receiver.waitFor(1);

    const { status, body } = await api.post(`${DELIVERIES}/${id}/retry`);

    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: 'attempt_under_way',
      error: 'Attempt 1 of this delivery is being made right now; wait for its answer.',
    });
    answer();
    await untilState(id, 'delivered');
    expect(receiver.requests).toHaveLength(1);
  });

  test('of a finished delivery answers 409', async () => {
    const { status, body } = await api.post(`${DELIVERIES}/${await delivered()}/retry`);

    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: 'delivery_finished',
      error: 'This delivery is delivered; a replay would send it again.',
    });
  });

  test('to a paused endpoint answers 409', async () => {
    const id = await retrying();
    await api.post(`/api/v1/webhooks/endpoints/${endpointId}/pause`);

    const { status, body } = await api.post(`${DELIVERIES}/${id}/retry`);

    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'endpoint_not_active' });
    expect(receiver.requests).toHaveLength(1);
  });

  test('with Temporal away answers 503 and changes nothing', async () => {
    const id = await retrying();
    const before = (await api.get(`${DELIVERIES}/${id}`)).body;
    const { config } = stack;
    const apart = await buildApi({ ...config, temporal: { ...config.temporal, address: '127.0.0.1:1' } });
    try {
      const { status, body, headers } = await apiClient(apart.url, key).post(`${DELIVERIES}/${id}/retry`);

      expect(status).toBe(503);
      expect(headers.get('Retry-After')).toBe('2');
      expect(body).toMatchObject({ code: 'temporal_unavailable' });
      expect((await api.get(`${DELIVERIES}/${id}`)).body).toEqual(before);
    } finally {
      await apart.close();
    }
  });

  test('of a delivery whose execution Temporal lost goes on with that attempt', async () => {
    const id = await retrying();
    const temporal = createTemporalLink(
      { ...stack.config.temporal, address: stack.config.temporal.address! },
      createLogger('silent'),
    );
    await temporal.connected();
    const workflowId = deliveryWorkflowId({ eventId: Number(id.split('.')[0]), endpointId, run: 1 });
    const { namespace } = stack.config.temporal;
    await temporal.client()!.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } });
    await eventually(
      () =>
        temporal
          .client()!
          .workflow.getHandle(workflowId)
          .describe()
          .then(
            () => 'there',
            () => 'gone',
          ),
      (it) => it === 'gone',
    );
    await temporal.close();
    receiver.answerWith(200);

    expect((await api.post(`${DELIVERIES}/${id}/retry`)).status).toBe(202);

    const after = await untilState(id, 'delivered');
    expect(after.body.attempts.map(({ number }: { number: number }) => number)).toEqual([1, 2]);
  });
});

describe('POST /deliveries/{id}/cancel', () => {
  test('ends the delivery: no further attempt is made, and a retry is refused', async () => {
    const id = await retrying();

    const { status, body } = await api.post(`${DELIVERIES}/${id}/cancel`);

    expect(status).toBe(202);
    expect(body).toMatchObject({ id, state: 'cancelled', next_attempt_at: null });
    expect(body.completed_at).not.toBeNull();
    expect((await api.post(`${DELIVERIES}/${id}/retry`)).body.code).toBe('delivery_finished');
    expect((await api.get(`/api/v1/webhooks/events/${id.split('.')[0]}`)).body.status).toBe('cancelled');
    expect(receiver.requests).toHaveLength(1);
  });

  test('while an attempt is under way: its 2xx wins', async () => {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    receiver.answerWith(() => answered.then(() => 200));
    const id = await send();
    await receiver.waitFor(1);

    expect((await api.post(`${DELIVERIES}/${id}/cancel`)).body.state).toBe('cancelled');
    answer();

    await untilState(id, 'delivered');
  });

  test('while an attempt is under way that fails: it stays cancelled, with the attempt in its history', async () => {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    receiver.answerWith(() => answered.then(() => 500));
    const id = await send();
    await receiver.waitFor(1);
    await api.post(`${DELIVERIES}/${id}/cancel`);
    answer();

    const { body } = await eventually(
      () => api.get(`${DELIVERIES}/${id}`),
      (it) => it.body.attempts.length === 1,
    );

    expect(body).toMatchObject({ state: 'cancelled', next_attempt_at: null, attempts: [{ status_code: 500 }] });
  });

  test('of a finished delivery answers 409', async () => {
    const id = await delivered();

    const { status, body } = await api.post(`${DELIVERIES}/${id}/cancel`);

    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'delivery_finished', error: 'This delivery is delivered already.' });
  });

  test('with Temporal away is done all the same', async () => {
    const id = await retrying();
    const { config } = stack;
    const apart = await buildApi({ ...config, temporal: { ...config.temporal, address: '127.0.0.1:1' } });
    try {
      expect((await apiClient(apart.url, key).post(`${DELIVERIES}/${id}/cancel`)).status).toBe(202);
      expect((await api.get(`${DELIVERIES}/${id}`)).body.state).toBe('cancelled');
    } finally {
      await apart.close();
    }
  });
});

describe('POST /deliveries/{id}/replay', () => {
  test('sends a delivered one again, as a new run with a history of its own', async () => {
    const id = await delivered();

    const { status, body } = await api.post(`${DELIVERIES}/${id}/replay`);

    expect(status).toBe(202);
    expect(body).toMatchObject({ id, run: 2, state: 'pending', attempt_count: 0, completed_at: null });
    const after = await untilState(id, 'delivered', 2);
    expect(after.body.attempts).toMatchObject([
      { run: 1, number: 1 },
      { run: 2, number: 1 },
    ]);
    const event = await api.get(`/api/v1/webhooks/events/${id.split('.')[0]}`);
    expect(event.body).toMatchObject({ status: 'delivered', deliveries: [{ run: 2, attempt_count: 1 }] });
    expect(event.body.deliveries[0].attempts).toMatchObject([{ run: 1 }, { run: 2 }]);
    const [first, second] = receiver.requests;
    expect(second!.body).toEqual(first!.body);
    expect(second!.headers['x-webhook-id']).toBe(first!.headers['x-webhook-id']);
  });

  test('sends a failed one and a cancelled one again, with all their attempts ahead', async () => {
    const failed = await retrying();
    await api.post(`${DELIVERIES}/${failed}/retry`);
    await untilState(failed, 'failed');
    const cancelled = await retrying();
    await api.post(`${DELIVERIES}/${cancelled}/cancel`);

    for (const id of [failed, cancelled]) {
      expect((await api.post(`${DELIVERIES}/${id}/replay`)).status).toBe(202);
      const { body } = await untilState(id, 'retrying', 2);
      expect(body).toMatchObject({ attempt_count: 1, max_attempts: 2 });
    }
  });

  test('asked ten times at once begins one run', async () => {
    const id = await delivered();

    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post(`${DELIVERIES}/${id}/replay`)));
    await untilState(id, 'delivered', 2);

    expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([
      202,
      ...Array<number>(9).fill(409),
    ]);
    expect(receiver.requests).toHaveLength(2);
  });

  test('of one that is not finished answers 409', async () => {
    const { status, body } = await api.post(`${DELIVERIES}/${await retrying()}/replay`);

    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: 'delivery_not_finished',
      error: 'This delivery is not finished; retry pulls its next attempt forward.',
    });
  });

  test('to an endpoint that was removed answers 409', async () => {
    const id = await delivered();
    await api.call('DELETE', `/api/v1/webhooks/endpoints/${endpointId}`);

    const { status, body } = await api.post(`${DELIVERIES}/${id}/replay`);

    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'endpoint_removed' });
    expect((await api.get(`${DELIVERIES}/${id}`)).body).toMatchObject({ run: 1, state: 'delivered' });
  });

  test('to a paused endpoint is made when that is resumed', async () => {
    const id = await delivered();
    await api.post(`/api/v1/webhooks/endpoints/${endpointId}/pause`);

    expect((await api.post(`${DELIVERIES}/${id}/replay`)).body).toMatchObject({ run: 2, state: 'pending' });
    await api.post(`/api/v1/webhooks/endpoints/${endpointId}/resume`);

    await untilState(id, 'delivered', 2);
    expect(receiver.requests).toHaveLength(2);
  });
});

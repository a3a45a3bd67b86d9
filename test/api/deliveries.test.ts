import { deliveryWorkflowId } from '../../src/domain/delivery-contract';
import { createTemporalLink } from '../../src/platform/temporal';
import { createLogger } from '../../src/platform/logger';
import { apiClient, expectError, statusesOf, type ApiAnswer } from '../support/api-client';
import { buildApiWithoutTemporal } from '../support/build-api';
import { buildCaller, useCaller } from '../support/build-caller';
import { holdAnswers } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';

const DELIVERIES = '/api/v1/webhooks/deliveries';

// The second attempt is the last one, and an hour away.
const stack = useStack({ env: { RETRY_SCHEDULE: '0s,1h' } });
const receiver = useReceiver();
const api = useCaller(stack, 'test');
let endpointId: string;

beforeAll(() => stack.role.workerReady);

beforeEach(async () => {
  endpointId = (await api.register({ url: receiver.url })).id;
});

/** Ingests an event. @returns the id of its delivery */
async function send(): Promise<string> {
  return `${(await api.ingest()).id}.${endpointId}`;
}

/** Ingests an event whose receiver answers when told to. @returns the id of its delivery, which is under way */
async function sendHeld(status: number) {
  let answer = (): void => undefined;
  const answered = new Promise<number>((resolve) => (answer = () => resolve(status)));
  receiver.answerWith(() => answered);
  const id = await send();
  await receiver.waitFor(1);
  return { id, answer };
}

async function delivered(): Promise<string> {
  const id = await send();
  await api.untilDelivery(id, 'delivered');
  return id;
}

async function retrying(): Promise<string> {
  receiver.answerWith(503);
  const id = await send();
  await api.untilDelivery(id, 'retrying');
  return id;
}

describe('GET /deliveries/{id}', () => {
  it('shows the delivery with its attempts', async () => {
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
    expect(Date.parse(body.accepted_at)).toBeLessThanOrEqual(Date.parse(body.completed_at));
  });

  it('shows the request and the response of an attempt, and where its time went', async () => {
    const { body } = await api.get(`${DELIVERIES}/${await delivered()}`);

    const [attempt] = body.attempts;
    const sent = Object.entries(attempt.request_headers).map(([name, value]) => [name.toLowerCase(), value]);
    expect(Object.fromEntries(sent)).toEqual(receiver.requests[0]!.headers);
    expect(attempt.response_headers).toMatchObject({ Date: expect.any(String), Connection: 'keep-alive' });
    expect(attempt.timings).toEqual({
      queued_ms: expect.any(Number),
      dns_ms: null,
      connect_ms: expect.any(Number),
      tls_ms: null,
      first_byte_ms: expect.any(Number),
      body_ms: expect.any(Number),
    });
    expect(attempt.timings.connect_ms + attempt.timings.first_byte_ms).toBe(attempt.latency_ms);
  });

  it('shows no request headers and no response for a request that was not sent', async () => {
    const port = receiver.port;
    await receiver.close();
    ({ id: endpointId } = await api.register({ url: `http://127.0.0.1:${port}/gone`, events: ['gone'] }));
    const id = `${(await api.ingest({ type: 'gone' })).id}.${endpointId}`;

    const { attempts } = await api.untilDelivery(id, 'retrying');

    expect(attempts).toMatchObject([
      {
        error_code: 'connection_refused',
        request_headers: {},
        response_headers: null,
        timings: { connect_ms: expect.any(Number), first_byte_ms: null, body_ms: null },
      },
    ]);
  });

  it('shows the schedule of the installation, or that of the endpoint', async () => {
    const own = await api.register({ url: receiver.url, events: ['own'], options: { retry_schedule: [0, 7, 90] } });
    const { id } = await api.ingest({ type: 'own' });

    expect((await api.get(`${DELIVERIES}/${await send()}`)).body.retry_schedule).toEqual([0, 3_600]);
    expect((await api.get(`${DELIVERIES}/${id}.${own.id}`)).body.retry_schedule).toEqual([0, 7, 90]);
  });

  it.each(['/', '/retry', '/cancel', '/replay'])(
    "answers another account's delivery and one that does not exist with the same 404: %s",
    async (operation) => {
      const id = await delivered();
      const stranger = await buildCaller(stack);
      const call = (of: string) =>
        operation === '/' ? stranger.get(`${DELIVERIES}/${of}`) : stranger.post(`${DELIVERIES}/${of}${operation}`);

      const answers = [
        await call(id),
        await call(`9007199254740991.${endpointId}`),
        await call(`9999999999999999.${endpointId}`),
        await call(`${id.split('.')[0]}.ep_00000000000000000000000000`),
      ];

      const expected = { error: 'There is no delivery with this id.', code: 'delivery_not_found' };
      for (const answer of answers) expectError(answer, 404, expected);
      expect((await api.get(`${DELIVERIES}/${id}`)).body).toMatchObject({ state: 'delivered', run: 1 });
    },
  );

  it('answers a malformed id with 404', async () => {
    for (const id of ['1001', `x.${endpointId}`, '1001.ep_short', `-1.${endpointId}`]) {
      expectError(await api.get(`${DELIVERIES}/${id}`), 404, 'delivery_not_found');
    }
  });
});

describe('what a held delivery waits for', () => {
  /** Registers an endpoint with options of its own, and ingests as many events for it. @returns their deliveries' ids */
  async function sendTo(options: object, count: number): Promise<string[]> {
    const { id } = await api.register({ url: receiver.url, events: ['own'], options });
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.push(`${(await api.ingest({ type: 'own' })).id}.${id}`);
    return ids;
  }
  const untilHeldFor = async (id: string, reason: string) =>
    (
      await eventually(
        () => api.get(`${DELIVERIES}/${id}`),
        ({ body }) => body.held_for === reason,
      )
    ).body;

  it('names the event that is first in the line of an ordered endpoint', async () => {
    receiver.answerWith(503);
    const [first, second, third] = await sendTo({ ordered: true }, 3);
    await api.untilDelivery(first!, 'retrying');

    const behind = { held_for: 'in_line', behind_event_id: Number(first!.split('.')[0]), wait_seconds: null };
    expect(await untilHeldFor(second!, 'in_line')).toMatchObject(behind);
    expect(await untilHeldFor(third!, 'in_line')).toMatchObject(behind);
    expect((await api.get(`${DELIVERIES}/${first}`)).body.behind_event_id).toBeNull();
  });

  it("estimates the wait for the endpoint's rate by the deliveries before it", async () => {
    // Ten seconds for each: the tenth waits long enough for the slowest machine.
    const ids = await sendTo({ max_per_second: 0.1 }, 10);
    await api.untilDelivery(ids[0]!, 'delivered');
    const lastTwo = ids.slice(-2);
    for (const id of lastTwo) await untilHeldFor(id, 'at_rate');

    const waitOf = async (id: string) => (await api.get(`${DELIVERIES}/${id}`)).body.wait_seconds as number;
    // Asked again when a second passes between the two answers.
    const waits = await eventually(
      () => Promise.all(lastTwo.map(waitOf)),
      ([one, other]) => Math.abs(one! - other!) === 10,
    );
    expect(Math.max(...waits)).toBeLessThanOrEqual(90);
  });
});

describe('a delivery held for its endpoint', () => {
  const ENDPOINTS = '/api/v1/webhooks/endpoints';
  const act = (verb: 'pause' | 'resume') => api.post(`${ENDPOINTS}/${endpointId}/${verb}`);
  /** Registers the account's only endpoint: each event has one delivery. */
  async function registerInstead(body: object): Promise<void> {
    await api.delete(`${ENDPOINTS}/${endpointId}`);
    ({ id: endpointId } = await api.register({ url: receiver.url, ...body }));
  }
  /** The delivery as each of the four reads shows it. */
  async function everyView(id: string): Promise<ApiAnswer['body'][]> {
    const [eventId] = id.split('.');
    const one = await api.get(`${DELIVERIES}/${id}`);
    const list = await api.get(`${DELIVERIES}?event_id=${eventId}`);
    const event = await api.get(`/api/v1/webhooks/events/${eventId}`);
    const events = await api.get('/api/v1/webhooks/events?limit=1');
    return [one.body, list.body.deliveries[0], event.body.deliveries[0], events.body.events[0].deliveries[0]];
  }

  it('says everywhere that it is held, why and since when, until the endpoint resumes', async () => {
    await act('pause');
    const id = await send();

    const views = await everyView(id);

    const { accepted_at: acceptedAt } = views[0];
    for (const view of views) {
      expect(view).toMatchObject({ id, state: 'pending', next_attempt_at: null, held_for: 'paused' });
      // To the second, like `accepted_at`, which the database sets at the insert: the hold was decided just before.
      expect(Math.ceil(Date.parse(view.held_since) / 1_000)).toBeGreaterThanOrEqual(Date.parse(acceptedAt) / 1_000);
    }
    await act('resume');
    expect(await api.untilDelivery(id, 'delivered')).toMatchObject({ held_for: null, held_since: null });
  });

  it('shows the current reason: a pause or resume after it was held changes it', async () => {
    await registerInstead({ events: ['line'], options: { ordered: true } });
    let answer = (): void => undefined;
    const answered = new Promise<number>((resolve) => (answer = () => resolve(200)));
    receiver.answerWith(() => answered);
    await api.ingest({ type: 'line' });
    await receiver.waitFor(1);
    const id = `${(await api.ingest({ type: 'line' })).id}.${endpointId}`;
    const reasons = async () => (await everyView(id)).map(({ held_for: reason }) => reason);

    expect(await reasons()).toEqual(Array(4).fill('in_line'));
    await act('pause');
    expect(await reasons()).toEqual(Array(4).fill('paused'));
    await act('resume');
    expect(await reasons()).toEqual(Array(4).fill('in_line'));
    answer();
    await api.untilDelivery(id, 'delivered');
  });

  it('shows the pause when a retry comes due while the endpoint is paused', async () => {
    await registerInstead({ events: ['soon'], options: { retry_schedule: [0, 1, 1] } });
    receiver.answerWith(async () => {
      await act('pause');
      return 503;
    });
    const id = `${(await api.ingest({ type: 'soon' })).id}.${endpointId}`;

    const held = await eventually(
      async () => (await api.get(`${DELIVERIES}/${id}`)).body,
      ({ held_for: reason }) => reason !== null,
    );

    expect(held).toMatchObject({ state: 'retrying', held_for: 'paused', next_attempt_at: null });
    expect(Date.parse(held.held_since)).toBeGreaterThan(Date.parse(held.attempts[0].started_at));
  });
});

describe('POST /deliveries/{id}/retry', () => {
  it('makes the next attempt now, an hour early, and only that one', async () => {
    const id = await retrying();
    receiver.answerWith(200);

    const { status, body } = await api.post(`${DELIVERIES}/${id}/retry`);

    expect(status).toBe(202);
    expect(body).toMatchObject({ id, state: 'retrying', attempt_count: 1 });
    const after = await api.untilDelivery(id, 'delivered');
    expect(after.attempts).toMatchObject([
      { number: 1, trigger: 'scheduled', status_code: 503 },
      { number: 2, trigger: 'manual', status_code: 200 },
    ]);
    expect(receiver.requests).toHaveLength(2);
  });

  it('makes one attempt when called ten times at once', async () => {
    const id = await retrying();

    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post(`${DELIVERIES}/${id}/retry`)));

    const statuses = answers.map(({ status, body }) => (status === 409 ? body.code : status));
    expect(statuses).toContain(202);
    // The calls that come too late say why.
    expect(statuses.filter((it) => ![202, 'attempt_under_way', 'delivery_finished'].includes(it))).toEqual([]);
    await api.untilDelivery(id, 'failed');
    expect(receiver.requests).toHaveLength(2);
  });

  it('makes one attempt when it is called as the timer fires', async () => {
    // Endpoint options beat the schedule of the installation: the second attempt is a second away.
    const options = { retry_schedule: [0, 1] };
    await api.call('PATCH', `/api/v1/webhooks/endpoints/${endpointId}`, { options });
    receiver.answerWith(503);
    const ids = await Promise.all(Array.from({ length: 12 }, () => send()));
    await Promise.all(ids.map((id) => api.untilDelivery(id, 'retrying')));

    const answers = await Promise.all(
      ids.map(async (id, index) => {
        const { next_attempt_at: nextAt } = (await api.get(`${DELIVERIES}/${id}`)).body;
        // From 120 ms before its time to 100 ms after it.
        const moment = Date.parse(nextAt ?? new Date().toISOString()) + (index - 6) * 20;
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, moment - Date.now())));
        return api.post(`${DELIVERIES}/${id}/retry`);
      }),
    );
    const ended = await Promise.all(ids.map((id) => api.untilDelivery(id, 'failed')));

    for (const { status } of answers) expect([202, 409]).toContain(status);
    for (const { attempts } of ended) expect(attempts).toMatchObject([{ number: 1 }, { number: 2 }]);
    expect(receiver.requests).toHaveLength(24);
  });

  it('answers 409 while an attempt is under way, and makes no second one', async () => {
    const { id, answer } = await sendHeld(200);

    expectError(await api.post(`${DELIVERIES}/${id}/retry`), 409, {
      code: 'attempt_under_way',
      error: 'Attempt 1 of this delivery is being made right now; wait for its answer.',
    });
    answer();
    await api.untilDelivery(id, 'delivered');
    expect(receiver.requests).toHaveLength(1);
  });

  it('answers 409 for a paused endpoint', async () => {
    const id = await retrying();
    await api.post(`/api/v1/webhooks/endpoints/${endpointId}/pause`);

    const answer = await api.post(`${DELIVERIES}/${id}/retry`);

    expectError(answer, 409, { code: 'endpoint_not_active' });
    expect(receiver.requests).toHaveLength(1);
  });

  it('answers 503 and changes nothing while Temporal is down', async () => {
    const id = await retrying();
    const before = (await api.get(`${DELIVERIES}/${id}`)).body;
    const apart = await buildApiWithoutTemporal(stack);

    const answer = await apiClient(apart.url, api.key).post(`${DELIVERIES}/${id}/retry`);
    await apart.close();

    expectError(answer, 503, 'temporal_unavailable');
    expect(answer.headers.get('Retry-After')).toBe('2');
    expect((await api.get(`${DELIVERIES}/${id}`)).body).toEqual(before);
  });

  it("makes that attempt when Temporal has lost the delivery's execution", async () => {
    const id = await retrying();
    const temporal = createTemporalLink(
      { ...stack.config.temporal, address: stack.config.temporal.address! },
      createLogger('silent'),
    );
    await temporal.connected();
    const workflowId = deliveryWorkflowId({ eventId: Number(id.split('.')[0]), endpointId, run: 1 });
    const { namespace } = stack.config.temporal;
    await temporal.client()!.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } });
    const handle = temporal.client()!.workflow.getHandle(workflowId);
    await eventually(
      () => handle.describe().catch(() => 'gone'),
      (it) => it === 'gone',
    );
    await temporal.close();
    receiver.answerWith(200);

    expect((await api.post(`${DELIVERIES}/${id}/retry`)).status).toBe(202);

    const after = await api.untilDelivery(id, 'delivered');
    expect(after.attempts).toMatchObject([{ number: 1 }, { number: 2 }]);
  });
});

describe('POST /deliveries/{id}/cancel', () => {
  it('ends the delivery: it makes no further attempt and refuses a retry', async () => {
    const id = await retrying();

    const { status, body } = await api.post(`${DELIVERIES}/${id}/cancel`);

    expect(status).toBe(202);
    expect(body).toMatchObject({ id, state: 'cancelled', next_attempt_at: null });
    expect(body.completed_at).not.toBeNull();
    expect((await api.post(`${DELIVERIES}/${id}/retry`)).body.code).toBe('delivery_finished');
    expect((await api.get(`/api/v1/webhooks/events/${id.split('.')[0]}`)).body.status).toBe('cancelled');
    expect(receiver.requests).toHaveLength(1);
  });

  it('works while Temporal is down', async () => {
    const id = await retrying();
    const apart = await buildApiWithoutTemporal(stack);

    const { status } = await apiClient(apart.url, api.key).post(`${DELIVERIES}/${id}/cancel`);
    await apart.close();

    expect(status).toBe(202);
    expect((await api.get(`${DELIVERIES}/${id}`)).body.state).toBe('cancelled');
  });
});

describe('POST /deliveries/{id}/replay', () => {
  it('sends a delivered event again, as a new run with its own history', async () => {
    const id = await delivered();

    const { status, body } = await api.post(`${DELIVERIES}/${id}/replay`);

    expect(status).toBe(202);
    expect(body).toMatchObject({ id, run: 2, state: 'pending', attempt_count: 0, completed_at: null });
    const after = await api.untilDelivery(id, 'delivered', 2);
    expect(after.attempts).toMatchObject([
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

  it('sends a failed or cancelled delivery again with a full schedule', async () => {
    const failed = await retrying();
    await api.post(`${DELIVERIES}/${failed}/retry`);
    await api.untilDelivery(failed, 'failed');
    const cancelled = await retrying();
    await api.post(`${DELIVERIES}/${cancelled}/cancel`);

    for (const id of [failed, cancelled]) {
      expect((await api.post(`${DELIVERIES}/${id}/replay`)).status).toBe(202);
      const body = await api.untilDelivery(id, 'retrying', 2);
      expect(body).toMatchObject({ attempt_count: 1, max_attempts: 2 });
    }
  });

  it('begins one run when called ten times at once', async () => {
    const id = await delivered();
    // A run that ends meanwhile may be replayed again.
    const answer = holdAnswers(receiver);

    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post(`${DELIVERIES}/${id}/replay`)));
    answer();
    await api.untilDelivery(id, 'delivered', 2);

    expect(statusesOf(answers)).toEqual([202, ...Array<number>(9).fill(409)]);
    expect(receiver.requests).toHaveLength(2);
  });

  it('answers 409 for a removed endpoint', async () => {
    const id = await delivered();
    await api.call('DELETE', `/api/v1/webhooks/endpoints/${endpointId}`);

    const answer = await api.post(`${DELIVERIES}/${id}/replay`);

    expectError(answer, 409, { code: 'endpoint_removed' });
    expect((await api.get(`${DELIVERIES}/${id}`)).body).toMatchObject({ run: 1, state: 'delivered' });
  });

  it('sends to a paused endpoint after the resume', async () => {
    const id = await delivered();
    await api.post(`/api/v1/webhooks/endpoints/${endpointId}/pause`);

    expect((await api.post(`${DELIVERIES}/${id}/replay`)).body).toMatchObject({ run: 2, state: 'pending' });
    await api.post(`/api/v1/webhooks/endpoints/${endpointId}/resume`);

    await api.untilDelivery(id, 'delivered', 2);
    expect(receiver.requests).toHaveLength(2);
  });
});

it.each([
  ['retry', 'finished', 'delivery_finished', 'This delivery is delivered; a replay would send it again.'],
  ['cancel', 'finished', 'delivery_finished', 'This delivery is delivered already.'],
  [
    'replay',
    'not finished',
    'delivery_not_finished',
    'This delivery is not finished; retry makes its next attempt now.',
  ],
])('%s of a delivery that is %s answers 409', async (operation, state, code, error) => {
  const id = await (state === 'finished' ? delivered() : retrying());

  expectError(await api.post(`${DELIVERIES}/${id}/${operation}`), 409, { code, error });
});

describe('POST /events/{id}/replay', () => {
  const EVENTS = '/api/v1/webhooks/events';

  /** An event that two endpoints got. */
  async function deliveredTwice() {
    const other = (await api.register({ url: receiver.url })).id;
    const { id } = await api.ingest();
    await api.untilEvent(id, 'delivered');
    return { id, other };
  }

  it('sends the event again to every destination, and counts as one call', async () => {
    const { id, other } = await deliveredTwice();
    const before = Number((await api.get(`${EVENTS}/${id}`)).headers.get('X-Quota-Used'));

    const { status, body, headers } = await api.post(`${EVENTS}/${id}/replay`);

    expect([status, body.skipped]).toEqual([202, []]);
    expect(body.deliveries.map((it: { id: string; run: number }) => [it.id, it.run])).toEqual(
      expect.arrayContaining([endpointId, other].map((to) => [`${id}.${to}`, 2])),
    );
    expect(headers.get('X-Quota-Used')).toBe(String(before + 1));
    for (const to of [endpointId, other]) await api.untilDelivery(`${id}.${to}`, 'delivered', 2);
    expect(receiver.requests).toHaveLength(4);
    expect(new Set(receiver.requests.map((request) => request.body.toString())).size).toBe(1);
  });

  it('sends it to the named endpoints only, and skips unfinished deliveries', async () => {
    const { id, other } = await deliveredTwice();
    const answer = holdAnswers(receiver);

    const one = await api.post(`${EVENTS}/${id}/replay`, { endpoint_ids: [other, other] });
    const rest = await api.post(`${EVENTS}/${id}/replay`, {});

    expect([one.status, one.body]).toMatchObject([
      202,
      { deliveries: [{ id: `${id}.${other}`, run: 2 }], skipped: [] },
    ]);
    expect([rest.status, rest.body]).toMatchObject([
      202,
      {
        deliveries: [{ id: `${id}.${endpointId}`, run: 2 }],
        skipped: [{ id: `${id}.${other}`, code: 'delivery_not_finished' }],
      },
    ]);
    expectError(await api.post(`${EVENTS}/${id}/replay`), 409, 'nothing_to_replay');
    answer();
    for (const to of [endpointId, other]) await api.untilDelivery(`${id}.${to}`, 'delivered', 2);
    expect(receiver.requests).toHaveLength(4);
  });

  it("is refused for unknown events, other accounts' events, and events with nothing to send", async () => {
    const { id } = await deliveredTwice();
    const stranger = await buildCaller(stack);
    const { id: unmatched } = await stranger.ingest();
    const unknown = `ep_${'0'.repeat(26)}`;

    expectError(await stranger.post(`${EVENTS}/${id}/replay`), 404, 'event_not_found');
    expectError(await api.post(`${EVENTS}/9007199254740993/replay`), 404, 'event_not_found');
    expectError(await api.post(`${EVENTS}/x/replay`), 400, 'invalid_request');
    expectError(await api.post(`${EVENTS}/${id}/replay`, { endpoint_ids: [unknown] }), 404, 'delivery_not_found');
    expectError(await api.post(`${EVENTS}/${id}/replay`, { endpoint_ids: [] }), 400, 'invalid_request');
    expectError(await api.post(`${EVENTS}/${id}/replay`, { to: [unknown] }), 400, 'invalid_request');
    expectError(await stranger.post(`${EVENTS}/${unmatched}/replay`), 409, 'nothing_to_replay');
    expect(receiver.requests).toHaveLength(2);
  });
});

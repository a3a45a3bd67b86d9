import type { ApiAnswer } from '../support/api-client';
import { useCaller } from '../support/build-caller';
import { useReceiver } from '../support/build-receiver';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';

// The attempts to an endpoint, why they fail, and what waits for it, in the API.

const ENDPOINTS = '/api/v1/webhooks/endpoints';

const stack = useStack({ env: { RETRY_SCHEDULE: '0s,50ms,1h' } });
const api = useCaller(stack);
const receiver = useReceiver();

/** Waits until an endpoint's list has this many attempts that fit a query. */
async function untilListed(id: string, count: number, query = '') {
  const { body } = await eventually(
    () => api.get(`${ENDPOINTS}/${id}/attempts${query}`),
    (answer) => answer.body.attempts.length === count,
  );
  return body;
}

/** Waits until what waits for an endpoint is as wanted. */
async function untilWaiting(id: string, isRight: (waiting: ApiAnswer['body']) => boolean) {
  const { body } = await eventually(
    () => api.get(`${ENDPOINTS}/${id}/waiting`),
    (answer) => isRight(answer.body),
  );
  return body;
}

it('the attempts of all deliveries to an endpoint are listed newest first, in pages', async () => {
  const answers = [500, 503, 200, 200];
  receiver.answerWith((_request, count) => answers[count - 1] ?? 200);
  const { id } = await api.register({ url: receiver.url, events: ['listed.*'] });
  await api.register({ url: `${receiver.url}/other`, events: ['unrelated'] });
  const first = await api.ingest({ type: 'listed.first' });
  await untilListed(id, 2);
  const second = await api.ingest({ type: 'listed.second' });
  const { attempts, next_cursor: end } = await untilListed(id, 3);

  expect(end).toBeNull();
  expect(attempts[0]).toEqual({
    delivery_id: `${second.id}.${id}`,
    event_id: second.id,
    event_type: 'listed.second',
    run: 1,
    number: 1,
    trigger: 'scheduled',
    warning: null,
    started_at: expect.any(String),
    latency_ms: expect.any(Number),
    succeeded: true,
    status_code: 200,
    error_code: null,
    error: null,
    response_snippet: expect.any(String),
  });
  const shown = attempts.slice(1).map((it: Record<string, unknown>) => [it['event_id'], it['number'], it['error']]);
  expect(shown).toEqual([
    [first.id, 2, 'The receiver answered 503 Service Unavailable.'],
    [first.id, 1, 'The receiver answered 500 Internal Server Error.'],
  ]);

  const pages = [];
  let cursor = '';
  do {
    const { body } = await api.get(`${ENDPOINTS}/${id}/attempts?limit=1${cursor}`);
    pages.push(...body.attempts);
    cursor = body.next_cursor && `&cursor=${body.next_cursor}`;
  } while (cursor);
  expect(pages).toEqual(attempts);
});

it('attempts can be narrowed to an outcome, a cause and a time', async () => {
  receiver.answerWith(({ path }) => Number(path.split('/').at(-1)));
  const { id } = await api.register({ url: `${receiver.url}/500`, events: ['narrow.*'] });
  await api.ingest({ type: 'narrow.one' });
  await untilListed(id, 2);
  await api.patch(`${ENDPOINTS}/${id}`, { url: `${receiver.url}/503` });
  await api.ingest({ type: 'narrow.two' });
  await untilListed(id, 2, '?status_code=503');
  await api.patch(`${ENDPOINTS}/${id}`, { url: `${receiver.url}/200` });
  await api.ingest({ type: 'narrow.three' });
  const { attempts } = await untilListed(id, 5);

  const listed = async (query: string) => (await api.get(`${ENDPOINTS}/${id}/attempts?${query}`)).body.attempts;
  expect(await listed('status_code=500')).toEqual(attempts.slice(3));
  expect(await listed('error_code=http_status&status_code=503')).toEqual(attempts.slice(1, 3));
  expect(await listed('error_code=timeout')).toEqual([]);
  expect(await listed('outcome=succeeded')).toEqual(attempts.slice(0, 1));
  expect(await listed('outcome=failed')).toEqual(attempts.slice(1));
  expect(await listed(`before=${attempts[2].started_at}`)).toEqual(attempts.slice(3));
  expect(await listed(`after=${attempts[2].started_at}`)).toEqual(attempts.slice(0, 3));
});

it.each([
  ['outcome=maybe', 'must be one of succeeded, failed'],
  ['status_code=999', 'must be a status of HTTP, from 100 to 599'],
  ['error_code=cosmic_ray', 'must be one of http_status'],
  ['cursor=bm90aGluZw', 'is not a cursor of this list'],
])('a list with %s is refused', async (query, rule) => {
  const { id } = await api.register({ url: receiver.url, events: ['never'] });
  const { status, body } = await api.get(`${ENDPOINTS}/${id}/attempts?${query}`);
  expect([status, body.error]).toEqual([400, expect.stringContaining(rule)]);
});

it("failures are grouped by cause: one status is told from another, and a delivery's success erases neither", async () => {
  const answers = [500, 503, 503, 200];
  receiver.answerWith((_request, count) => answers[count - 1] ?? 200);
  const { id } = await api.register({ url: receiver.url, events: ['grouped.*'] });
  for (const name of ['one', 'two']) {
    await api.ingest({ type: `grouped.${name}` });
    await untilListed(id, name === 'one' ? 2 : 4);
  }

  const { body } = await eventually(
    () => api.get(`${ENDPOINTS}/${id}/health`),
    (answer) => answer.body.totals.attempts === 4,
  );

  expect(body.totals.failed_by).toEqual({ http_status: 3 });
  const counts = body.causes.map((it: Record<string, unknown>) => [it['code'], it['status_code'], it['count']]);
  expect(counts).toEqual([
    ['http_status', 503, 2],
    ['http_status', 500, 1],
  ]);
  for (const { first_seen: first, last_seen: last } of body.causes) {
    expect(first <= body.until && last <= body.until && first < last).toBe(true);
  }
});

/** The second attempt comes after 50 ms: what waits for it may be due by the next look. */
const waitsForTheLast = ({ scheduled, next_attempt_at: at }: ApiAnswer['body']): boolean =>
  scheduled === 1 && Date.parse(at ?? '') > Date.now() + 60_000;

it('what waits is counted by its reason: the time of a retry, and a pause', async () => {
  receiver.answerWith(503);
  const { id } = await api.register({ url: receiver.url, events: ['waits.*'] });
  const none = { complete: true, held: [], scheduled: 0, next_attempt_at: null, due: 0, behind_event_id: null };
  expect((await api.get(`${ENDPOINTS}/${id}/waiting`)).body).toEqual({ endpoint_id: id, ...none });

  const retried = await api.ingest({ type: 'waits.retry' });
  const scheduled = await untilWaiting(id, waitsForTheLast);
  const { body: delivery } = await api.get(`/api/v1/webhooks/deliveries/${retried.id}.${id}`);
  expect(scheduled).toEqual({
    endpoint_id: id,
    ...none,
    scheduled: 1,
    next_attempt_at: delivery.next_attempt_at,
  });

  await api.post(`${ENDPOINTS}/${id}/pause`);
  for (const name of ['one', 'two']) await api.ingest({ type: `waits.${name}` });
  const paused = await untilWaiting(id, ({ held }) => held[0]?.deliveries === 2);
  expect(paused).toMatchObject({
    held: [{ reason: 'paused', deliveries: 2, since: expect.any(String) }],
    scheduled: 1,
    due: 0,
  });
});

it('what waits in line names the event that is first', async () => {
  receiver.answerWith(503);
  const { id } = await api.register({ url: receiver.url, events: ['line.*'], options: { ordered: true } });
  const first = await api.ingest({ type: 'line.first' });
  await untilWaiting(id, waitsForTheLast);
  await api.ingest({ type: 'line.second' });

  const waiting = await untilWaiting(id, ({ held }) => held.length > 0);

  expect(waiting).toMatchObject({ held: [{ reason: 'in_line', deliveries: 1 }], behind_event_id: first.id });
});

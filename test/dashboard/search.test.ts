import { apiClient } from '../support/api-client';
import { insertEvents, ACCEPTED_AT } from '../support/build-events';
import { watchReads, type Read } from '../support/watch-reads';
import { signedUp, useDashboardStack } from './browser';

const stack = useDashboardStack({ role: 'api' });
const EVENTS = '/api/v1/webhooks/events';

/** A new account with a session and a key. */
async function newAccount(searchFields?: readonly string[]) {
  const person = await signedUp(stack);
  const { body } = await person.browser.post('/keys', { product: 'weh', label: 'test' });
  if (searchFields) await person.browser.patch('/search-fields', { search_fields: searchFields });
  const api = apiClient(stack.url, body.key as string);
  const send = async (type: string, data: object, key?: string): Promise<number> => {
    const answer = await api.post(EVENTS, { type, data, ...(key !== undefined && { idempotency_key: key }) });
    expect(answer.status).toBe(202);
    return answer.body.id;
  };
  const search = async (q: string) => (await person.browser.get(`/search?q=${encodeURIComponent(q)}`)).body;
  return { ...person, api, send, search };
}

interface Match {
  readonly by: string;
  readonly value: string;
  readonly found: readonly { readonly id: number }[];
}

/** By what events were found, and their ids. */
const eventsIn = ({ events }: { events: readonly Match[] }) =>
  events.map(({ by, value, found }) => [by, value, found.map(({ id }) => id)]);

describe('search fields', () => {
  it('cover the events after they were set, of the API and of a batch, whatever kind of scalar they hold', async () => {
    const { browser, api, send } = await newAccount();
    await send('order.created', { customer_id: 'cus_1' });
    const saved = await browser.patch('/search-fields', { search_fields: ['customer_id', 'number'] });
    expect([saved.status, saved.body]).toEqual([200, { search_fields: ['customer_id', 'number'] }]);
    expect((await browser.get('/me')).body.account.search_fields).toEqual(['customer_id', 'number']);
    const single = await send('order.created', { customer_id: 'cus_1', number: 7 });
    const { body } = await api.post(`${EVENTS}/batch`, { events: [{ type: 'a', data: { customer_id: 'cus_1' } }] });

    const idsOf = async (data: string) =>
      (await api.get(`${EVENTS}?data=${encodeURIComponent(data)}`)).body.events.map(({ id }: { id: number }) => id);
    expect(await idsOf('customer_id:cus_1')).toEqual([body.results[0].id, single]);
    expect(await idsOf('number:7')).toEqual([single]);
    expect(await idsOf('customer_id:cus_')).toEqual([]);
  });

  it('are three names at most, of letters, digits, "_" and "-"', async () => {
    const { browser } = await newAccount();
    for (const fields of [['a', 'b', 'c', 'd'], ['a', 'a'], ['a.b'], [''], 'a']) {
      const { status, body } = await browser.patch('/search-fields', { search_fields: fields });
      expect([fields, status, body.code]).toEqual([fields, 400, 'invalid_request']);
    }
    expect((await browser.get('/me')).body.account.search_fields).toEqual([]);
  });

  it('leave an audit entry with the fields before and after, unless nothing changed', async () => {
    const { browser, accountId } = await newAccount(['a']);
    await browser.patch('/search-fields', { search_fields: ['a', 'b'] });
    await browser.patch('/search-fields', { search_fields: ['a', 'b'] });
    const { entries } = (await browser.get('/audit?action=account.search_fields_changed')).body;
    expect(entries).toMatchObject([
      { object: accountId, changes: [{ field: 'search_fields', from: 'a', to: 'a, b' }] },
      { object: accountId, changes: [{ field: 'search_fields', from: null, to: 'a' }] },
    ]);
  });

  it('of many changes at once that replace the same fields, exactly one is made', async () => {
    const { browser } = await newAccount(['a']);
    const change = (fields: string[], replaces: string[]) =>
      browser.patch('/search-fields', { search_fields: fields, replaces });
    const answers = await Promise.all(['b', 'c', 'd', 'e', 'f'].map((name) => change([name], ['a'])));
    const won = answers.filter(({ status }) => status === 200);
    const lost = answers.filter(({ status }) => status === 412);
    expect([won.length, lost.length, lost[0]!.body.code]).toEqual([1, 4, 'precondition_failed']);
    expect((await browser.get('/me')).body.account.search_fields).toEqual(won[0]!.body.search_fields);
    expect((await change([], ['a'])).status).toBe(412);
    expect((await change([], won[0]!.body.search_fields)).status).toBe(200);
    expect((await change(['a'], [])).status).toBe(200);
  });

  it('the API refuses a filter by another field, and names the fields of the account', async () => {
    const { api } = await newAccount(['customer_id']);
    const { status, body } = await api.get(`${EVENTS}?data=order_id:1`);
    expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_request', 'data']);
    expect(body.error).toBe(
      '"data" is about "order_id", which is not a search field of this account. Its search fields: customer_id. ' +
        'Set them in the dashboard, under Settings.',
    );
    expect((await api.get(`${EVENTS}?data=customer_id`)).body.error).toContain('must be "<field>:<value>"');
  });
});

describe('a search', () => {
  it('finds an event by its id, by its idempotency key, and by a value of its data', async () => {
    const { send, search } = await newAccount(['customer_id', 'order_id']);
    const id = await send('order.created', { customer_id: 'cus_1', order_id: 42 }, 'ord_42_created');
    const later = await send('order.paid', { customer_id: 'cus_1' });

    expect(eventsIn(await search(String(id)))).toEqual([['id', String(id), [id]]]);
    expect(eventsIn(await search(' ord_42_created '))).toEqual([['idempotency_key', 'ord_42_created', [id]]]);
    const byData = [['data', 'customer_id:cus_1', [later, id]]];
    expect(eventsIn(await search('cus_1'))).toEqual(byData);
    for (const text of ['data.customer_id = cus_1', 'customer_id=cus_1', 'customer_id:cus_1']) {
      expect(eventsIn(await search(text))).toEqual(byData);
    }
    expect(eventsIn(await search('order_id:cus_1'))).toEqual([]);
    expect(eventsIn(await search('42'))).toEqual([['data', 'order_id:42', [id]]]);
  });

  it("finds nothing of another account's", async () => {
    const owner = await newAccount(['customer_id']);
    const other = await newAccount(['customer_id']);
    const id = await owner.send('order.created', { customer_id: 'cus_2' }, 'key_2');
    await owner.browser.post('/webhooks/endpoints', { url: 'https://hooks.example/cus_2', events: ['*'] });
    for (const text of [String(id), 'key_2', 'cus_2', 'hooks.example', 'order.*']) {
      expect(await other.search(text)).toMatchObject({ events: [], endpoints: [], event_types: [] });
    }
  });

  it('finds endpoints by a part of URL, description or id, in any case, and types by their beginning', async () => {
    const { browser, send, search } = await newAccount();
    const { body } = await browser.post('/webhooks/endpoints', {
      url: 'https://hooks.warehouse.example/in',
      description: 'Order service',
      events: ['*'],
    });
    for (const type of ['order.created', 'order.paid', 'order', 'orders.merged', 'invoice.paid']) await send(type, {});
    for (const text of ['WAREHOUSE', 'order serv', body.id]) {
      expect((await search(text)).endpoints.map(({ id }: { id: string }) => id)).toEqual([body.id]);
    }
    expect((await search('order.*')).event_types).toEqual(['order.created', 'order.paid']);
    expect((await search('order')).event_types).toEqual(['order', 'order.created', 'order.paid', 'orders.merged']);
    expect((await search('paid')).event_types).toEqual([]);
  });

  it('says which fields it looked in, and which named field it can not look in', async () => {
    const { search } = await newAccount(['customer_id']);
    expect(await search('data.order_id = 1')).toMatchObject({
      events: [],
      search_fields: ['customer_id'],
      unknown_field: 'order_id',
    });
    expect(await search('data.customer_id = 1')).toMatchObject({ unknown_field: null });
    // It may just as well be an idempotency key.
    expect(await search('order_id:1')).toMatchObject({ unknown_field: null });
  });

  it('refuses an empty text', async () => {
    const { browser } = await newAccount();
    expect((await browser.get('/search?q=%20')).body.error).toBe('"q" must not be empty.');
  });

  it('reads a few index entries of an account with 20,000 events, and no document that it does not show', async () => {
    const { accountId, search } = await newAccount(['customer_id', 'order_id']);
    await insertEvents(
      stack.mongo,
      Array.from({ length: 20_000 }, (_, n) => ({
        id: 1_000_000 + n,
        accountId,
        type: `kind_${n % 50}.made`,
        acceptedAt: ACCEPTED_AT + n,
        search: [`customer_id:cus_${n % 4}`, `order_id:${n}`],
        idempotencyKey: `key_${n}`,
        deliveries: [],
      })),
    );
    for (const [text, shown] of [
      ['1000007', 1],
      ['key_777', 1],
      ['cus_1', 5],
      ['order_id = 777', 1],
      ['kind_1', 0],
      ['nothing at all', 0],
    ] as const) {
      let found: Awaited<ReturnType<typeof search>>;
      const all = await watchReads(stack.mongo, async () => (found = await search(text)));
      const reads = all.filter(({ collection }) => ['events', 'endpoints'].includes(collection));
      expect([text, found!.events.flatMap((match: Match) => match.found).length]).toEqual([text, shown]);
      expect(reads.length).toBeGreaterThanOrEqual(3);
      expect(reads.filter(({ plan }) => !/^(IXSCAN|IDHACK|EXPRESS|COUNT_SCAN)/.test(plan))).toEqual([]);
      // A page reads one more event, to know whether more follow.
      expect(sum(reads, 'documents')).toBeLessThanOrEqual(shown + 1);
      expect(sum(reads, 'keys')).toBeLessThanOrEqual(25);
    }
  });
});

function sum(reads: readonly Read[], name: 'keys' | 'documents'): number {
  return reads.reduce((total, read) => total + read[name], 0);
}

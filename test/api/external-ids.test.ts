import { expectError, type ApiAnswer } from '../support/api-client';
import { buildCaller, useCaller, type Caller } from '../support/build-caller';
import { UNLIMITED, useStack } from '../support/build-stack';
import { openApi, operations } from '../support/conformance';

const PATH = '/api/v1/webhooks/endpoints';
const URL = 'https://example.com/hook';
const UNKNOWN_ID = `ep_${'0'.repeat(26)}`;

const stack = useStack({ role: 'api', env: UNLIMITED });
const api = useCaller(stack);
const stranger = useCaller(stack);

describe('external_id of POST /api/v1/webhooks/endpoints', () => {
  it('is in every answer about the endpoint, and null without one', async () => {
    const { id, external_id: externalId } = await api.register({ url: URL, external_id: 'shown' });
    const other = await api.register({ url: URL });
    expect([externalId, other.external_id]).toEqual(['shown', null]);
    const answers = [
      await api.get(`${PATH}/${id}`),
      await api.patch(`${PATH}/${id}`, { description: 'Changed' }),
      await api.post(`${PATH}/${id}/pause`),
      await api.post(`${PATH}/${id}/resume`),
      await api.post(`${PATH}/${id}/verify`),
    ];
    expect(answers.map(({ body }) => body.external_id)).toEqual(Array.from(answers, () => 'shown'));
    const { endpoints } = (await api.get(PATH)).body;
    const found = endpoints.filter((it: { id: string }) => [id, other.id].includes(it.id));
    expect(found.map((it: { external_id: string | null }) => it.external_id)).toEqual([null, 'shown']);
  });

  it.each(['a', 'A-Z_a.z:0@9', 'x'.repeat(128), 'EP_1', 'epoch', '__proto__'])('201 for %j', async (externalId) => {
    expect((await api.register({ url: URL, external_id: externalId })).external_id).toBe(externalId);
    expect((await api.get(`${PATH}/${externalId}`)).body.external_id).toBe(externalId);
  });

  it.each(['', 'x'.repeat(129), 'ep_', UNKNOWN_ID, 'a b', 'ä', 'a/b', 'a\n', 1, null])(
    '400 for %j',
    async (externalId) =>
      expectError(await api.post(PATH, { url: URL, external_id: externalId }), 400, {
        details: [expect.objectContaining({ path: 'external_id' })],
      }),
  );

  it('409 for one that another endpoint of the account has, also of many at once; other accounts may have it', async () => {
    const caller = await buildCaller(stack);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => caller.post(PATH, { url: URL, external_id: 'taken' })),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(5);
    for (const answer of refused) {
      expectError(answer, 409, { code: 'external_id_taken', error: expect.stringContaining('"taken"') });
    }
    expect((await caller.get(PATH)).body.endpoints).toHaveLength(1);
    await stranger.register({ url: URL, external_id: 'taken' });
    expect((await caller.delete(`${PATH}/taken`)).status).toBe(204);
    await caller.register({ url: URL, external_id: 'taken' });
  });

  it('never changes', async () => {
    await api.register({ url: URL, external_id: 'fixed' });
    expectError(await api.patch(`${PATH}/fixed`, { external_id: 'other' }), 400, {
      details: [{ path: 'external_id', message: 'is not a known field' }],
    });
  });

  it('is in the audit log, whose entries name the endpoint by its id', async () => {
    const { id } = await api.register({ url: URL, external_id: 'logged' });
    await api.post(`${PATH}/logged/cancel-deliveries`);
    await api.get(`${PATH}/logged/secret`);
    const log = stack.mongo.db.collection('audit_log');
    const entries = await log.find({ object: id }).sort({ at: 1 }).toArray();
    expect(entries.map(({ action }) => action)).toEqual([
      'endpoint.created',
      'endpoint.deliveries_cancelled',
      'secret.revealed',
    ]);
    expect(entries[0]!['changes']).toContainEqual({ field: 'external_id', to: 'logged' });
    expect(await log.countDocuments({ object: 'logged' })).toBe(0);
  });
});

type Json = Record<string, unknown>;

const document = openApi as unknown as Json;

/** Where a schema of the document has ids of endpoints: the names of members, from the outside in. */
function placesIn(schema: Json): string[][] {
  const ref = schema['$ref'] as string | undefined;
  if (ref !== undefined) {
    const names = ref.split('/').slice(1);
    return placesIn(names.reduce<Json>((at, name) => at[name] as Json, document));
  }
  return Object.entries((schema['properties'] ?? {}) as Record<string, Json>).flatMap(([name, inner]) =>
    /^endpoint_ids?$/.test(name) ? [[name]] : placesIn(inner).map((place) => [name, ...place]),
  );
}

/** Every operation that names an endpoint, and where. */
const NAMING = operations.flatMap((operation) => {
  const { requestBody } = (document['paths'] as Record<string, Record<string, Json>>)[operation.path]![
    operation.method
  ]!;
  const content = (requestBody as { content?: Record<string, { schema: Json }> } | undefined)?.content;
  const inBody = content ? placesIn(Object.values(content)[0]!.schema) : [];
  const inPath = 'endpoint_id' in (operation.params ?? {});
  const inQuery = 'endpoint_id' in (operation.query?.shape ?? {});
  return inPath || inQuery || inBody.length > 0 ? [{ operation, inQuery, inBody }] : [];
});

/** Calls an operation with the name of an endpoint in each of its places. */
async function callWith(
  caller: Caller,
  { operation, inQuery, inBody }: (typeof NAMING)[number],
  { endpoint, eventId }: { readonly endpoint: string; readonly eventId: number },
): Promise<ApiAnswer> {
  const values: Record<string, string> = { endpoint_id: endpoint, event_id: String(eventId) };
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name]!);
  const body = structuredClone(operation.bodyExample) as Json | undefined;
  for (const place of inBody) {
    const name = place.at(-1)!;
    const holder = place.slice(0, -1).reduce<Json>((at, part) => at[part] as Json, body!);
    holder[name] = name === 'endpoint_ids' ? [endpoint] : endpoint;
  }
  const query = inQuery ? `?endpoint_id=${endpoint}` : '';
  return caller.call(operation.method.toUpperCase(), path + query, operation.body && body);
}

/** Whether anything but the field `external_id` shows the external id. */
function showsElsewhere({ text, headers }: ApiAnswer, externalId: string): boolean {
  const rest = text.replaceAll(`"external_id":"${externalId}"`, '');
  return rest.includes(externalId) || (headers.get('Location') ?? '').includes(externalId);
}

describe('an external id in the place of an id', () => {
  it('there are operations to try: in a path, in a query and in two kinds of bodies', () => {
    const ids = NAMING.map(({ operation: { id } }) => id);
    expect(ids).toEqual(
      expect.arrayContaining([
        'getEndpoint',
        'putEndpoint',
        'listDeliveries',
        'createReplay',
        'replayEvent',
        'createDelivery',
      ]),
    );
  });

  it.each(NAMING.map((it) => [it.operation.id, it] as const))('%s takes it as it takes the id', async (id, naming) => {
    const one = await api.register({ url: URL });
    const externalId = `orders.${id}`;
    const same = await api.register({ url: URL, external_id: externalId });
    const { id: eventId } = await api.ingest();

    const byId = await callWith(api, naming, { endpoint: one.id, eventId });
    const byExternalId = await callWith(api, naming, { endpoint: externalId, eventId });

    expect([byExternalId.status, byExternalId.body?.code]).toEqual([byId.status, byId.body?.code]);
    expect([400, 404]).not.toContain(byId.status);
    expect(showsElsewhere(byExternalId, externalId)).toBe(false);
    expect(byExternalId.text.includes(same.id)).toBe(byId.text.includes(one.id));
    for (const endpoint of [one.id, same.id]) await api.delete(`${PATH}/${endpoint}`);
  });

  it.each(NAMING.filter(({ operation }) => operation.id !== 'putEndpoint').map((it) => [it.operation.id, it] as const))(
    '%s finds nothing by one of another account, as by an unknown id',
    async (id, naming) => {
      const externalId = `theirs.${id}`;
      const theirs = await stranger.register({ url: URL, external_id: externalId });
      const { id: eventId } = await api.ingest();

      const byId = await callWith(api, naming, { endpoint: UNKNOWN_ID, eventId });
      const byTheirs = await callWith(api, naming, { endpoint: externalId, eventId });

      expect([byTheirs.status, byTheirs.body?.code]).toEqual([byId.status, byId.body?.code]);
      const inPath = 'endpoint_id' in (naming.operation.params ?? {});
      if (inPath) expectError(byTheirs, 404, 'endpoint_not_found');
      expect((await stranger.delete(`${PATH}/${theirs.id}`)).status).toBe(204);
    },
  );

  it('is looked for in the account for which a management key acts', async () => {
    const { key } = await stack.managementKey();
    const external = { url: URL, external_id: 'of.both' };
    const [mine, theirs] = [await api.register(external), await stranger.register(external)];
    for (const [{ accountId }, { id }] of [
      [api, mine],
      [stranger, theirs],
    ] as const) {
      const headers = { Authorization: `Bearer ${key}`, 'Everpost-Account': accountId };
      expect((await api.get(`${PATH}/of.both`, headers)).body.id).toBe(id);
    }
  });

  it('filters deliveries and replays, which show the id', async () => {
    const caller = await buildCaller(stack);
    await caller.register({ url: URL });
    const { id } = await caller.register({ url: URL, external_id: 'one' });
    const event = await caller.ingest();
    const { deliveries } = (await caller.get('/api/v1/webhooks/deliveries?endpoint_id=one')).body;
    expect(deliveries.map((it: { id: string }) => it.id)).toEqual([`${event.id}.${id}`]);
    const { body } = await caller.post('/api/v1/webhooks/replays', { filter: { endpoint_id: 'one' } });
    expect(body.filter.endpoint_id).toBe(id);
  });

  it('leaves what a caller sends as data alone', async () => {
    const { id } = await api.register({ url: URL, external_id: 'mine', metadata: { endpoint_id: 'mine' } });
    expect((await api.get(`${PATH}/${id}`)).body.metadata).toEqual({ endpoint_id: 'mine' });
    const data = { endpoint_id: 'mine', endpoint_ids: ['mine'], filter: { endpoint_id: 'mine' } };
    const event = await api.ingest({ data });
    expect((await api.get(`/api/v1/webhooks/events/${event.id}`)).body.data).toEqual(data);
  });
});

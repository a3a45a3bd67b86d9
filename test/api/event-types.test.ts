import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiClient, expectError, statusesOf, type ApiAnswer } from '../support/api-client';
import { useStack } from '../support/build-stack';
import { cliOf } from '../support/run-cli';

const stack = useStack();

const TYPES = '/api/v1/event-types';
const OURS = '/api/v1/webhooks/event-types';

const SCHEMA = {
  type: 'object',
  required: ['order_id'],
  properties: { order_id: { type: 'string' }, total: { $ref: '#/$defs/Money' } },
  $defs: { Money: { type: 'number', minimum: 0 } },
};

async function buildCatalog() {
  const { key, keyId } = await stack.managementKey();
  return { api: apiClient(stack.url, key), keyId };
}

let made = 0;
const newName = (): string => `order.made_${(made += 1)}`;

it('creates an event type with a PUT, changes it with another, and nothing with the same one again', async () => {
  const { api, keyId } = await buildCatalog();
  const name = newName();
  const body = { description: 'An order.', group: 'Orders', schema: SCHEMA, example: { order_id: 'ord_42' } };

  const created = await api.put(`${TYPES}/${name}`, body);
  const same = await api.put(`${TYPES}/${name}`, body);
  const changed = await api.put(`${TYPES}/${name}`, { group: null, deprecated: true });
  const read = await api.get(`${TYPES}/${name}`);

  expect([created.status, same.status, changed.status]).toEqual([201, 200, 200]);
  expect(created.body).toMatchObject({ name, ...body, deprecated: false, archived: false, version: 1 });
  expect(same.body).toEqual(created.body);
  expect(changed.body).toMatchObject({ ...body, group: null, deprecated: true, version: 1 });
  expect(read.body).toEqual(changed.body);
  const entries = await stack.mongo.db.collection('audit_log').find({ object: name }).sort({ at: 1 }).toArray();
  expect(
    entries.map(({ action, actor, changes }) => [action, actor.id, changes.map((it: { field: string }) => it.field)]),
  ).toEqual([
    ['event_type.created', keyId, ['description', 'group', 'schema', 'example', 'deprecated', 'archived']],
    ['event_type.changed', keyId, ['group', 'deprecated']],
  ]);
});

it('keeps what a changed schema replaces as an earlier version', async () => {
  const { api } = await buildCatalog();
  const name = newName();
  const second = { type: 'object', properties: { id: { type: 'integer' } } };
  await api.put(`${TYPES}/${name}`, { schema: SCHEMA, example: { order_id: 'ord_42' } });

  const changed = await api.put(`${TYPES}/${name}`, { schema: second, example: null });

  expect(changed.body).toMatchObject({ version: 2, schema: second, example: null });
  expect((await api.get(`${TYPES}/${name}?version=1`)).body).toMatchObject({
    ...{ name, version: 1, schema: SCHEMA, example: { order_id: 'ord_42' } },
  });
  expect((await api.get(`${TYPES}/${name}?version=2`)).body).toEqual(changed.body);
  expectError(await api.get(`${TYPES}/${name}?version=3`), 404, 'event_type_not_found');
  expectError(await api.get(`${TYPES}/${name}?version=x`), 400, 'invalid_request');
});

it('writes one version after the other for calls at the same time', async () => {
  const { api } = await buildCatalog();
  const name = newName();
  const put = (index: number): Promise<ApiAnswer> => api.put(`${TYPES}/${name}`, { schema: { title: `v${index}` } });

  const answers = await Promise.all(Array.from({ length: 5 }, (_, index) => put(index)));

  expect(statusesOf(answers)).toEqual([200, 200, 200, 200, 201]);
  expect(answers.map(({ body }) => body.version as number).toSorted((one, other) => one - other)).toEqual([
    1, 2, 3, 4, 5,
  ]);
});

it('lists event types by name in pages, with the archived ones apart', async () => {
  const { api } = await buildCatalog();
  const group = `Group ${(made += 1)}`;
  for (const name of ['c.three', 'a.one', 'b.two', 'd.four']) await api.put(`${TYPES}/${name}`, { group });
  await api.put(`${TYPES}/a.one`, { schema: SCHEMA });

  const archived = await api.delete(`${TYPES}/d.four`);
  const first = await api.get(`${TYPES}?group=${group}&limit=2`);
  const second = await api.get(`${TYPES}?group=${group}&limit=2&cursor=${first.body.next_cursor}`);

  const namesOf = ({ body }: ApiAnswer): string[] => body.event_types.map(({ name }: { name: string }) => name);
  expect(archived.body).toMatchObject({ name: 'd.four', archived: true });
  expect([namesOf(first), namesOf(second), second.body.next_cursor]).toEqual([['a.one', 'b.two'], ['c.three'], null]);
  expect(first.body.event_types).toMatchObject([{ has_schema: true }, { has_schema: false }]);
  expect(first.body.event_types[0]).not.toHaveProperty('schema');
  expect(namesOf(await api.get(`${TYPES}?group=${group}&archived=true`))).toEqual(['d.four']);
  expectError(await api.get(`${TYPES}?cursor=abc`), 400, 'invalid_request');
});

it('shows the types in use to accounts, and takes changes from management keys only', async () => {
  const { api } = await buildCatalog();
  const account = apiClient(stack.url, (await stack.account()).key);
  const name = newName();
  await api.put(`${TYPES}/${name}`, { description: 'An order.' });

  expect((await account.get(`${OURS}/${name}`)).body).toMatchObject({ name, description: 'An order.' });
  expect((await account.get(`${TYPES}/${name}`)).status).toBe(200);
  expectError(await account.put(`${TYPES}/${name}`, {}), 403, 'missing_scope');

  await api.delete(`${TYPES}/${name}`);
  expectError(await account.get(`${OURS}/${name}`), 404, 'event_type_not_found');
  await api.put(`${TYPES}/${name}`, { archived: false });
  expect((await account.get(`${OURS}/${name}`)).status).toBe(200);
});

it.each([
  ['a schema of an unknown type', { schema: { type: 'text' } }, 'invalid_schema', 'schema.type'],
  ['a schema with another document', { schema: { $ref: 'https://example.com/a.json' } }, 'invalid_schema', 'schema'],
  [
    'a schema of another draft',
    { schema: { $schema: 'http://json-schema.org/draft-07/schema#' } },
    'invalid_schema',
    'schema.$schema',
  ],
  ['a schema with a pattern that is none', { schema: { pattern: '(' } }, 'invalid_schema', 'schema'],
  ['an example without a field', { schema: SCHEMA, example: {} }, 'example_mismatch', 'example.order_id'],
  [
    'an example that takes for ever',
    { schema: { patternProperties: { '^(a+)+$': {} } }, example: { [`${'a'.repeat(60)}!`]: 1 } },
    'invalid_schema',
    'schema',
  ],
])('refuses %s, and says where it is wrong', async (_, body, code, path) => {
  const { api } = await buildCatalog();
  const name = newName();

  const answer = await api.put(`${TYPES}/${name}`, body);

  expectError(answer, 422, code);
  expect(answer.body.details[0].path).toBe(path);
  expectError(await api.get(`${TYPES}/${name}`), 404, 'event_type_not_found');
});

it('checks a kept example against a changed schema', async () => {
  const { api } = await buildCatalog();
  const name = newName();
  await api.put(`${TYPES}/${name}`, { example: { order_id: 42 } });

  expectError(await api.put(`${TYPES}/${name}`, { schema: SCHEMA }), 422, 'example_mismatch');

  expect((await api.put(`${TYPES}/${name}`, { schema: SCHEMA, example: { order_id: 'ord_42' } })).status).toBe(200);
});

it.each([
  ['order created', 400, 'invalid_request'],
  ['everpost.test', 422, 'reserved_event_type'],
  ['openapi.json', 405, 'method_not_allowed'],
])('refuses the name %s', async (name, status, code) => {
  const { api } = await buildCatalog();

  expectError(await api.put(`${TYPES}/${encodeURIComponent(name)}`, {}), status, code);
});

it('takes a type with a slash in its name', async () => {
  const { api } = await buildCatalog();

  expect((await api.put(`${TYPES}/com.example%2Forder:created`, {})).body.name).toBe('com.example/order:created');
  expect((await api.get(`${TYPES}/com.example%2Forder:created`)).status).toBe(200);
});

const DOCUMENT = {
  openapi: '3.1.0',
  webhooks: {
    'invoice.paid': {
      post: {
        summary: 'A customer paid an invoice.',
        tags: ['Invoices'],
        requestBody: {
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Invoice' }, example: { id: 'in_1' } },
          },
        },
      },
    },
    'invoice.voided': {
      post: {
        deprecated: true,
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { type: { const: 'invoice.voided' }, data: { $ref: '#/components/schemas/Invoice' } },
              },
              example: { type: 'invoice.voided', data: { id: 'in_1', lines: [{ id: 'in_2' }] } },
            },
          },
        },
      },
    },
    'not a type': { post: {} },
  },
  components: {
    schemas: {
      Invoice: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { $ref: '#/components/schemas/Id' },
          lines: { type: 'array', items: { $ref: '#/components/schemas/Invoice' } },
        },
      },
      Id: { type: 'string' },
    },
  },
};

describe('the import of an OpenAPI document', () => {
  it('tells what would change, then changes it, then has nothing to change', async () => {
    const { api } = await buildCatalog();
    const account = apiClient(stack.url, (await stack.account()).key);

    const dry = await api.post(`${TYPES}/import`, { openapi: DOCUMENT, dry_run: true });
    const before = await api.get(`${TYPES}/invoice.paid`);
    const real = await api.post(`${TYPES}/import`, { openapi: DOCUMENT });
    const again = await api.post(`${TYPES}/import`, { openapi: DOCUMENT });

    expect(dry.body).toMatchObject({ dry_run: true, created: ['invoice.paid', 'invoice.voided'] });
    expect(before.status).toBe(404);
    expect(real.body).toMatchObject({
      dry_run: false,
      created: ['invoice.paid', 'invoice.voided'],
      changed: [],
      unchanged: [],
    });
    expect(real.body.refused).toMatchObject([{ name: 'not a type', code: 'invalid_request' }]);
    expect(again.body).toMatchObject({ created: [], changed: [], unchanged: ['invoice.paid', 'invoice.voided'] });
    expect((await account.get(`${OURS}/invoice.paid`)).body).toMatchObject({
      description: 'A customer paid an invoice.',
      group: 'Invoices',
      example: { id: 'in_1' },
      schema: {
        required: ['id'],
        properties: { id: { $ref: '#/$defs/Id' }, lines: { items: { $ref: '#/$defs/Invoice' } } },
        $defs: { Id: { type: 'string' } },
      },
    });
    expect((await account.get(`${OURS}/invoice.voided`)).body).toMatchObject({
      ...{ deprecated: true, example: { id: 'in_1', lines: [{ id: 'in_2' }] } },
      schema: { required: ['id'], properties: { id: { $ref: '#/$defs/Id' } } },
    });
  });

  it('names the fields of a change, and leaves what the document does not say', async () => {
    const { api } = await buildCatalog();
    const name = newName();
    await api.put(`${TYPES}/${name}`, { description: 'An order.', group: 'Orders' });
    const openapi = { openapi: '3.1.0', webhooks: { [name]: { post: { description: 'A new order.' } } } };

    const { body } = await api.post(`${TYPES}/import`, { openapi });

    expect(body).toMatchObject({ created: [], changed: [{ name, fields: ['description'] }] });
    expect((await api.get(`${TYPES}/${name}`)).body).toMatchObject({ description: 'A new order.', group: 'Orders' });
  });

  it.each([
    ['a document of version 3.0', { openapi: '3.0.3', webhooks: { a: {} } }, 'openapi.openapi'],
    ['a document without webhooks', { openapi: '3.1.0', paths: {} }, 'openapi.webhooks'],
  ])('refuses %s', async (_, openapi, path) => {
    const { api } = await buildCatalog();

    const answer = await api.post(`${TYPES}/import`, { openapi });

    expectError(answer, 400, 'invalid_request');
    expect(answer.body.details).toMatchObject([{ path }]);
  });

  it('takes the document that describes the catalog, and has nothing to change', async () => {
    const { api } = await buildCatalog();
    await api.put(`${TYPES}/cycle.made`, {
      description: 'A cycle.',
      group: 'Orders',
      schema: SCHEMA,
      example: { order_id: 'a' },
    });
    await api.put(`${TYPES}/cycle:made`, { schema: { type: 'object' } });

    const { body: openapi } = await api.get(`${TYPES}/openapi.json`);
    const { body } = await api.post(`${TYPES}/import`, { openapi });

    expect(openapi.webhooks['cycle.made'].post.requestBody.content['application/json'].schema.properties).toMatchObject(
      {
        type: { const: 'cycle.made' },
        data: { $ref: '#/components/schemas/cycle.made' },
      },
    );
    expect(openapi.components.schemas['cycle.made'].properties.total).toEqual({
      $ref: '#/components/schemas/cycle.made/$defs/Money',
    });
    expect(body).toMatchObject({ created: [], changed: [], refused: [] });
    expect(body.unchanged).toEqual(expect.arrayContaining(['cycle.made', 'cycle:made']));
  });

  it('imports a file at the command line', async () => {
    const cli = cliOf(stack);
    const name = newName();
    const openapi = { openapi: '3.1.0', webhooks: { [name]: { post: { summary: 'An order.' } } } };

    const folder = await mkdtemp(join(tmpdir(), 'everpost-types-'));
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(openapi));

    const dry = await cli.json('event-type', 'import', file, '--dry-run');
    await cli.json('event-type', 'import', file);
    await rm(folder, { recursive: true });

    expect(dry).toEqual([{ name, result: 'created', what: '' }]);
    expect(await cli.json('event-type', 'show', name)).toMatchObject({ name, description: 'An order.' });
    expect(await cli.json('event-type', 'archive', name)).toMatchObject({ archived: true });
  });
});

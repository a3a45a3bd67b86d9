import { userInfo } from 'node:os';
import { randomBytes } from 'node:crypto';
import { BY_COMMAND_LINE } from '../../src/domain/audit-actions';
import { createEndpointStore } from '../../src/stores/endpoint-store';
import { startRole } from '../../src/processes/start-role';
import { createLogger } from '../../src/platform/logger';
import { createSecretBox, type SealedSecret } from '../../src/platform/secret-box';
import { apiClient, type ApiClient } from '../support/api-client';
import { useStack } from '../support/build-stack';
import { useFixture } from '../support/fixture';
import { cliOf } from '../support/run-cli';

const ENDPOINTS = '/api/v1/webhooks/endpoints';
const [OLD, NEW] = [newKey(), newKey()];

/** What `secrets reseal` prints of a key. */
interface KeyRow {
  readonly key_id: string;
  readonly values: number;
  readonly resealed: number;
  readonly use: string;
}

function newKey(): { readonly key: string; readonly id: string } {
  const key = randomBytes(32).toString('base64');
  return { key, id: createSecretBox([key]).keyIds[0] };
}

// The process that the rotation begins with; those of its later steps have the same database.
const stack = useStack({ role: 'api', env: { ENCRYPTION_KEY: `${OLD.key},${NEW.key}` } });
const later = useFixture(
  'file',
  () => Promise.all([startWith([NEW.key, OLD.key]), startWith([NEW.key])]),
  (roles) => Promise.all(roles.map((role) => role.close())),
);

let before: ApiClient;
let swapped: ApiClient;
let after: ApiClient;
beforeEach(async () => {
  await stack.mongo.db.collection('endpoints').deleteMany({});
  const { key } = await stack.account();
  [before, swapped, after] = [stack.url, later[0].url!, later[1].url!].map((url) => apiClient(url, key)) as [
    ApiClient,
    ApiClient,
    ApiClient,
  ];
});

function configWith(keys: readonly string[]) {
  return { ...stack.config, encryptionKeys: keys };
}

function startWith(keys: readonly string[]) {
  return startRole('api', configWith(keys), createLogger('silent'));
}

function cliWith(...keys: readonly { key: string }[]) {
  return cliOf({ config: configWith(keys.map(({ key }) => key)) });
}

function reseal(...options: string[]): Promise<KeyRow[]> {
  return cliWith(NEW, OLD).json<KeyRow[]>('secrets', 'reseal', ...options);
}

/** An endpoint with everything that is sealed; what its owner sees of it. */
async function register(client: ApiClient): Promise<string> {
  const options = { headers: { 'X-Tenant': 'tenant-a' }, authentication: { type: 'bearer', token: 'a-token' } };
  const { status, body } = await client.post(ENDPOINTS, { url: 'https://example.com/', options });
  expect(status).toBe(201);
  const { id } = body as { id: string };
  expect((await client.post(`${ENDPOINTS}/${id}/secret/rotate`)).status).toBe(200);
  return id;
}

async function shown(client: ApiClient, id: string): Promise<unknown[]> {
  const answers = [await client.get(`${ENDPOINTS}/${id}`), await client.get(`${ENDPOINTS}/${id}/secret`)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  return answers.map(({ body }) => body as unknown);
}

/** Ids of the keys of everything that looks sealed, wherever in the database it is. */
async function keysInUse(): Promise<Set<string>> {
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('key_id' in value && 'box' in value) found.add(String(value.key_id));
    for (const member of Object.values(value)) walk(member);
  };
  for (const collection of await stack.mongo.db.collections()) walk(await collection.find().toArray());
  return found;
}

it('seals everything with the first key; users notice nothing, and the other key can be removed', async () => {
  const ids = [await register(before), await register(before), await register(swapped)];
  const seen = await Promise.all(ids.map((id) => shown(before, id)));
  expect(await keysInUse()).toEqual(new Set([OLD.id, NEW.id]));

  const rows = await reseal();

  expect(rows).toEqual([
    { key_id: NEW.id, values: 12, resealed: 0, use: 'seals' },
    { key_id: OLD.id, values: 0, resealed: 8, use: 'may be retired' },
  ]);
  expect(await keysInUse()).toEqual(new Set([NEW.id]));
  expect(await Promise.all(ids.map((id) => shown(after, id)))).toEqual(seen);
  expect(await reseal()).toEqual(rows.map((row) => ({ ...row, resealed: 0 })));
});

it("the operators' audit log shows a run with the key that seals, but not a dry run", async () => {
  const log = stack.mongo.db.collection('audit_log');
  await log.deleteMany({ action: 'secrets.resealed' });

  await reseal('--dry-run');
  await reseal();

  expect(await log.find({ action: 'secrets.resealed' }).toArray()).toEqual([
    {
      _id: expect.stringMatching(/^aud_/),
      at: expect.any(Date),
      actor: { type: 'cli', id: userInfo().username, name: 'command line' },
      action: 'secrets.resealed',
      account_id: null,
      object: null,
      address: null,
      detail: NEW.id,
    },
  ]);
});

it('a dry run counts, and changes nothing', async () => {
  await register(before);
  await register(swapped);

  expect(await reseal('--dry-run')).toEqual([
    { key_id: NEW.id, values: 4, resealed: 0, use: 'seals' },
    { key_id: OLD.id, values: 4, resealed: 0, use: 'in use' },
  ]);
});

it('a value written meanwhile is neither lost nor sealed with the old key again', async () => {
  const ids = await Promise.all(Array.from({ length: 4 }, () => register(before)));
  const busy = ids.map(async (id, index) => {
    const at = `${ENDPOINTS}/${id}`;
    const activated = await swapped.post(`${at}/secret/activate`);
    const rotated = await swapped.post(`${at}/secret/rotate`);
    const headers = { 'X-Tenant': `tenant-${index}` };
    const patched = await swapped.patch(at, { description: `n${index}`, options: { headers } });
    expect([activated.status, rotated.status, patched.status]).toEqual([200, 200, 200]);
    return [patched.body, rotated.body] as unknown[];
  });

  const [wanted] = await Promise.all([Promise.all(busy), reseal(), reseal()]);

  expect(await keysInUse()).toEqual(new Set([NEW.id]));
  // Read, an endpoint shows its health too.
  expect(await Promise.all(ids.map((id) => shown(after, id)))).toMatchObject(wanted);
});

it('a change that read before and writes after does not bring the old seal back', async () => {
  const id = await register(before);
  const endpoints = createEndpointStore(stack.mongo.db);
  const read = (await endpoints.find(id))!;

  await reseal();

  const note = { ...BY_COMMAND_LINE, action: 'endpoint.changed' } as const;
  expect(await endpoints.change(read, { set: { options: read.options! } }, note)).toBeNull();
  expect(await keysInUse()).toEqual(new Set([NEW.id]));
});

describe('reports no key as removable', () => {
  it('while a value needs a key that is missing; all others are sealed again', async () => {
    const stranger = newKey();
    const id = await register(before);
    const [lost, kept] = [createSecretBox([stranger.key]).seal('whsec_lost', id), 'a-token'];
    await stack.mongo.db.collection('endpoints').updateOne({ _id: id as never }, { $set: { secret: lost } });

    const failure = cliWith(NEW, OLD).printed('secrets', 'reseal');

    await expect(failure).rejects.toMatchObject({ code: 'sealed_values_unopened' });
    const { message } = (await failure.catch((error: unknown) => error)) as Error;
    expect(message).toContain(`1 with the key ${stranger.id}`);
    expect(message).toContain('sealed again: 3');
    for (const text of [stranger.key, OLD.key, NEW.key, 'whsec_', kept]) expect(message).not.toContain(text);
    expect(await keysInUse()).toEqual(new Set([NEW.id, stranger.id]));
  });

  it('while a value does not open with its key, which the message names', async () => {
    const [id, other] = [await register(before), await register(before)];
    const { secret } = (await createEndpointStore(stack.mongo.db).find(other))!;
    await stack.mongo.db.collection('endpoints').updateOne({ _id: id as never }, { $set: { secret } });

    const failure = cliWith(NEW, OLD).printed('secrets', 'reseal');

    await expect(failure).rejects.toMatchObject({ code: 'sealed_values_unopened' });
    await expect(failure).rejects.toThrow(`secret of ${id}`);
  });
});

it('the command says that it needs keys when there are none', async () => {
  await expect(cliWith().printed('secrets', 'reseal')).rejects.toThrow('ENCRYPTION_KEY is not set');
});

describe('the data keys of accounts', () => {
  const EVENTS = '/api/v1/webhooks/events';
  const dataKeys = () => stack.mongo.db.collection<{ _id: string; key: SealedSecret }>('data_keys');
  beforeEach(() => dataKeys().deleteMany({}));

  it('are sealed again, and events that were stored before are read with the new key alone', async () => {
    const sent = await before.post(EVENTS, { type: 'a', data: { n: 1 } });
    expect(sent.status).toBe(202);
    expect(await dataKeys().distinct('key.key_id')).toEqual([OLD.id]);

    expect(await reseal()).toEqual([
      { key_id: NEW.id, values: 1, resealed: 0, use: 'seals' },
      { key_id: OLD.id, values: 0, resealed: 1, use: 'may be retired' },
    ]);

    expect(await dataKeys().distinct('key.key_id')).toEqual([NEW.id]);
    expect((await after.get(`${EVENTS}/${sent.body.id}`)).body.data).toEqual({ n: 1 });
    // A process that read the key before goes on.
    expect((await before.post(EVENTS, { type: 'a', data: {} })).status).toBe(202);
  });

  it('are counted by `secrets check`, which changes nothing', async () => {
    await register(before);
    await swapped.post(EVENTS, { type: 'a', data: {} });

    expect(await cliWith(NEW, OLD).json('secrets', 'check')).toEqual([
      { key_id: NEW.id, endpoints: 0, accounts: 1, use: 'seals' },
      { key_id: OLD.id, endpoints: 1, accounts: 0, use: 'in use' },
    ]);
    expect(await keysInUse()).toEqual(new Set([NEW.id, OLD.id]));
  });

  it('`secrets check` fails, and names the key, if one that they are sealed with is not here', async () => {
    await before.post(EVENTS, { type: 'a', data: {} });

    const failure = cliWith(NEW).printed('secrets', 'check');

    await expect(failure).rejects.toMatchObject({ code: 'sealed_values_unopened' });
    await expect(failure).rejects.toThrow(`${OLD.id}: 0 endpoints, 1 accounts; NOT in ENCRYPTION_KEY`);
  });
});

import { SCOPE_NAMES, type Scope } from '../../src/domain/scopes';
import { apiClient, expectError } from '../support/api-client';
import { useCaller } from '../support/build-caller';
import { buildKey, useStack } from '../support/build-stack';

// Static headers often hold keys: reading an endpoint shows their names only.

const PATH = '/api/v1/webhooks/endpoints';
const HEADERS = { 'X-Api-Key': 'very-secret-1', 'X-Tenant': 'very-secret-2' };
const HIDDEN = { 'X-Api-Key': '[hidden]', 'X-Tenant': '[hidden]' };

const stack = useStack({ role: 'api' });
const owner = useCaller(stack);

async function register(): Promise<{ id: string; path: string; text: string }> {
  const { text, body } = await owner.post(PATH, { url: 'https://example.com/', options: { headers: HEADERS } });
  return { id: body.id, path: `${PATH}/${body.id}`, text };
}

async function callerWith(scopes: readonly Scope[]) {
  return apiClient(stack.url, (await buildKey(stack.mongo, owner.accountId, { scopes })).key);
}

const reveals = (object: string) =>
  stack.mongo.db.collection('audit_log').countDocuments({ object, action: 'secret.revealed' });
const revealed = async (path: string) => (await owner.get(`${path}/secret`)).body.headers as unknown;

it('no answer about an endpoint shows the values, whatever the scopes of the key', async () => {
  const { id, path, text } = await register();
  const answers = [
    text,
    (await owner.get(path)).text,
    (await owner.get(PATH)).text,
    (await owner.patch(path, { description: 'new' })).text,
    (await owner.patch(path, { options: { headers: HEADERS } })).text,
    (await owner.post(`${path}/pause`)).text,
    (await owner.post(`${path}/resume`)).text,
    (await owner.post(`${path}/verify`)).text,
  ];
  for (const answer of answers) {
    expect(answer).not.toContain('very-secret');
    expect(answer).toContain('"X-Api-Key":"[hidden]"');
  }
  expect(await reveals(id)).toBe(0);
});

it('they are revealed with secrets:read only, and each time leaves an entry', async () => {
  const { id, path } = await register();
  const others = await callerWith(SCOPE_NAMES.filter((scope) => scope !== 'secrets:read'));
  expectError(await others.get(`${path}/secret`), 403, 'missing_scope');
  expect(await reveals(id)).toBe(0);

  const reader = await callerWith(['secrets:read']);
  const answer = await reader.get(`${path}/secret`);
  expect(answer.body).toMatchObject({ secret: expect.stringMatching(/^whsec_/), headers: HEADERS });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await reveals(id)).toBe(1);
});

it('what was read can be sent back: a hidden value stays, another one replaces it', async () => {
  const { path } = await register();
  expect((await owner.patch(path, { options: { headers: HIDDEN } })).status).toBe(200);
  expect(await revealed(path)).toEqual(HEADERS);

  await owner.patch(path, { options: { headers: { 'x-tenant': '[hidden]', 'X-New': '1' } } });
  expect(await revealed(path)).toEqual({ 'x-tenant': 'very-secret-2', 'X-New': '1' });
});

it('a hidden value that is not stored is refused, and so are headers that are too long together', async () => {
  const { path } = await register();
  const created = await owner.post(PATH, { url: 'https://example.com/', options: { headers: HIDDEN } });
  const changed = await owner.patch(path, { options: { headers: { ...HIDDEN, 'X-New': '[hidden]' } } });
  expectError(created, 400, 'invalid_request');
  expectError(changed, 400, 'invalid_request');
  expect(changed.body.details).toEqual([
    { path: 'options.headers.X-New', message: 'has no stored value that [hidden] could keep; send its value' },
  ]);

  await owner.patch(path, { options: { headers: { 'X-Long': 'x'.repeat(4_000) } } });
  const tooLong = await owner.patch(path, {
    options: { headers: { 'X-Long': '[hidden]', 'X-More': 'y'.repeat(200) } },
  });
  expectError(tooLong, 400, 'invalid_request');
  expect(await revealed(path)).toEqual({ 'X-Long': 'x'.repeat(4_000) });
});

it('a hidden value that stays is not sent again, so it keeps the URL where it is', async () => {
  const { path } = await register();
  const writer = await callerWith(['endpoints:write']);
  const moved = await writer.patch(path, { url: 'https://evil.example.net/', options: { headers: HIDDEN } });
  expectError(moved, 409, 'credentials_not_sent');
});

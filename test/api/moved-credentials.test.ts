import { expectError } from '../support/api-client';
import { useCaller } from '../support/build-caller';
import { apiClient } from '../support/api-client';
import { buildKey, useStack } from '../support/build-stack';
import type { Endpoint } from '../../src/stores/endpoint-store';
import type { Scope } from '../../src/domain/scopes';

// Whoever may change a URL must not get the stored credentials with it.

const PATH = '/api/v1/webhooks/endpoints';
const AUTHENTICATION = { type: 'bearer', token: 'tok_123' };
const HEADERS = { 'X-Tenant': 'blue' };
const URL = 'https://example.com/hook';
const MOVED = 'https://evil.example.net/hook';

const stack = useStack({ role: 'api', env: { DELIVERY_ALLOW_HTTP: 'true' } });
const owner = useCaller(stack);

async function callerWith(scopes: readonly Scope[]) {
  return apiClient(stack.url, (await buildKey(stack.mongo, owner.accountId, { scopes })).key);
}

async function register(options: object = { authentication: AUTHENTICATION, headers: HEADERS }): Promise<string> {
  return (await owner.post(PATH, { url: URL, options })).body.id as string;
}

const stored = (id: string) => stack.mongo.db.collection<Endpoint>('endpoints').findOne({ _id: id });

it.each([
  ['host', MOVED],
  ['port', 'https://example.com:8443/hook'],
  ['scheme', 'http://example.com/hook'],
  ['host, as a subdomain', 'https://a.example.com/hook'],
])('without secrets:read, another %s is refused, and nothing changes', async (_what, url) => {
  const id = await register();
  const before = await stored(id);
  const writer = await callerWith(['endpoints:write']);

  for (const options of [undefined, {}, { ordered: true }, { headers: HEADERS }, { authentication: AUTHENTICATION }]) {
    const refused = await writer.patch(`${PATH}/${id}`, { url, options });
    expectError(refused, 409, 'credentials_not_sent');
    expect(refused.body.error).toContain(options && 'headers' in options ? 'authentication' : 'options.');
    expect(refused.text).not.toContain('tok_123');
  }
  expect(await stored(id)).toEqual(before);
});

it.each([
  ['sends both again', { authentication: AUTHENTICATION, headers: HEADERS }, ['authentication', 'headers']],
  ['removes both', { authentication: null, headers: null }, []],
  ['replaces one and removes the other', { authentication: null, headers: { 'X-New': '1' } }, ['headers']],
])('without secrets:read, the same PATCH %s', async (_what, options, left) => {
  const id = await register();
  const writer = await callerWith(['endpoints:write']);
  expect((await writer.patch(`${PATH}/${id}`, { url: MOVED, options })).status).toBe(200);
  expect(await stored(id)).toMatchObject({ url: MOVED });
  expect(Object.keys((await stored(id))!.options!).sort()).toEqual(left);
});

it('the same host keeps them, and so does a key with secrets:read', async () => {
  const id = await register();
  const writer = await callerWith(['endpoints:write']);
  expect((await writer.patch(`${PATH}/${id}`, { url: 'https://example.com/v2?a=b' })).status).toBe(200);
  expect((await writer.patch(`${PATH}/${id}`, { url: 'https://EXAMPLE.com:443/v3' })).status).toBe(200);

  const reader = await callerWith(['endpoints:write', 'secrets:read']);
  expect((await reader.patch(`${PATH}/${id}`, { url: MOVED })).status).toBe(200);
  expect(Object.keys((await stored(id))!.options!).sort()).toEqual(['authentication', 'headers']);
});

it('an endpoint without credentials moves freely', async () => {
  const id = await register({ ordered: true });
  const writer = await callerWith(['endpoints:write']);
  expect((await writer.patch(`${PATH}/${id}`, { url: MOVED })).status).toBe(200);
});

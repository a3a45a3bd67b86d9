import { randomBytes } from 'node:crypto';
import { createSecretBox } from '../../src/platform/secret-box';
import { apiClient, expectError } from '../support/api-client';
import { startLoggedRole, startApi } from '../support/build-api';
import { buildCaller } from '../support/build-caller';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';

// A rollout with another ENCRYPTION_KEY, on a database whose secrets are sealed already.

const ENDPOINTS = '/api/v1/webhooks/endpoints';
const ENDPOINT = { url: 'https://example.com/hook' };
const stack = useStack({ role: 'api' });
const newKey = (): string => randomBytes(32).toString('base64');
const readiness = async (url: string) =>
  (await apiClient(url, undefined, { conformance: false }).get('/readyz')).status;

it('a process with none of the keys is not ready, says so, and seals nothing', async () => {
  const ours = await buildCaller(stack);
  const { id } = await ours.register(ENDPOINT);
  const wrong = newKey();
  const role = await startLoggedRole({ ...stack.config, encryptionKeys: [wrong] }, 'api');
  try {
    const log = await eventually(role.log, (text) => text.includes('WRONG ENCRYPTION_KEY'));
    for (const key of [wrong, stack.config.encryptionKeys[0]!]) {
      expect(log).toContain(createSecretBox([key]).keyIds[0]);
      expect(log).not.toContain(key);
    }
    const api = apiClient(role.url, ours.key);
    const authentication = { type: 'bearer', token: 'tok_123' };
    for (const answer of [
      await api.post(ENDPOINTS, ENDPOINT),
      await api.patch(`${ENDPOINTS}/${id}`, { options: { authentication } }),
      await api.patch(`${ENDPOINTS}/${id}`, { options: { headers: { 'X-Tenant': 'blue' } } }),
      await api.post(`${ENDPOINTS}/${id}/secret/rotate`),
    ]) {
      expectError(answer, 503, 'encryption_key_missing');
    }
    expect(await readiness(role.url)).toBe(503);
    expect(await stack.mongo.db.collection('endpoints').distinct('secret.key_id')).toEqual([
      createSecretBox(stack.config.encryptionKeys).keyIds[0],
    ]);
  } finally {
    await role.close();
  }
});

it('a worker with none of the keys is not ready, so that a rollout stops at it', async () => {
  const ours = await buildCaller(stack);
  await ours.register(ENDPOINT);
  const worker = await startLoggedRole({ ...stack.config, encryptionKeys: [newKey()] }, 'worker');
  try {
    await eventually(worker.log, (text) => text.includes('this build of the worker gets the deliveries'));
    expect(worker.log()).toContain('WRONG ENCRYPTION_KEY');
    expect(await worker.role.readiness()).toMatchObject({ isReady: false, status: 'starting' });
  } finally {
    await worker.close();
  }
});

it.each([
  ['behind its own', (ours: string) => [newKey(), ours]],
  ['before another', (ours: string) => [ours, newKey()]],
])('a process with the key %s is ready and seals', async (_where, keys) => {
  const caller = await buildCaller(stack);
  await caller.register(ENDPOINT);
  const api = await startApi(stack.config, { encryptionKeys: keys(stack.config.encryptionKeys[0]!) });
  try {
    await eventually(
      () => readiness(api.url),
      (status) => status === 200,
    );
    expect((await apiClient(api.url, caller.key).post(ENDPOINTS, ENDPOINT)).status).toBe(201);
  } finally {
    await api.close();
  }
});

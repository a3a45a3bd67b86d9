import { apiClient } from '../support/api-client';
import { cliOf } from '../support/run-cli';
import { buildBrowser, PASSWORD, signedUp, useDashboardStack } from './browser';

// A person leaves: the operator removes the sign-in, and finds the keys that the person created.

const stack = useDashboardStack();
const { json, expectRefused } = cliOf(stack);
const SELF = '/api/v1/keys/self';

interface Removed {
  readonly id: string;
  readonly active_keys?: readonly string[];
  readonly revoked_keys?: readonly string[];
}

const makeKey = async ({ browser }: Awaited<ReturnType<typeof signedUp>>) =>
  (await browser.post('/keys', { product: 'weh', label: 'CI' })).body as {
    id: string;
    key: string;
    created_by: string;
  };

it('a removed user can do nothing more, and the keys that the user created are named', async () => {
  const leaver = await signedUp(stack);
  const key = await makeKey(leaver);
  const other = await json('key', 'create', '--account', leaver.accountId, '--product', 'weh', '--label', 'other');
  expect(key.created_by).toBe(leaver.userId);

  const removed = await json<Removed>('user', 'delete', '--email', leaver.email);

  expect(removed).toMatchObject({ id: leaver.userId, active_keys: [key.id] });
  expect((await leaver.browser.get('/me')).status).toBe(401);
  const again = await buildBrowser(stack.url).post('/sign-in', { email: leaver.email, password: PASSWORD });
  expect(again.status).toBe(401);
  // Programs go on until a user or an operator decides otherwise.
  for (const each of [key.key, other['key']]) expect((await apiClient(stack.url, each).get(SELF)).status).toBe(200);
  const [entry] = await json<{ action: string; object: string }[]>('audit', 'list', '--account', leaver.accountId);
  expect(entry).toMatchObject({ action: 'user.deleted', object: leaver.userId });
  await expectRefused('user_not_found', 'user', 'delete', '--email', leaver.email);
});

it("--revoke-keys revokes the user's own keys, and no others", async () => {
  const leaver = await signedUp(stack);
  const [key, revoked] = [await makeKey(leaver), await makeKey(leaver)];
  await leaver.browser.delete(`/keys/${revoked.id}`);
  const other = await json('key', 'create', '--account', leaver.accountId, '--product', 'weh', '--label', 'other');

  const removed = await json<Removed>('user', 'delete', '--email', leaver.email, '--revoke-keys');

  expect(removed).toMatchObject({ revoked_keys: [key.id] });
  const listed = await json<{ id: string; revoked_at: string | null }[]>('key', 'list', '--account', leaver.accountId);
  expect(listed.filter(({ revoked_at: at }) => at === null).map(({ id }) => id)).toEqual([other['id']]);
});

it('an operator stops being one at once, in every session', async () => {
  const person = await signedUp(stack);
  const mayOperate = async () => (await person.browser.get('/accounts')).status;
  expect(await mayOperate()).toBe(404);
  expect(await json('user', 'grant-operator', '--email', person.email)).toMatchObject({ operator: 'yes' });
  expect(await mayOperate()).toBe(200);

  expect(await json('user', 'revoke-operator', '--email', person.email)).toMatchObject({ operator: 'no' });
  await json('user', 'revoke-operator', '--email', person.email);

  expect(await mayOperate()).toBe(404);
  const entries = await json<{ action: string; changes: string }[]>('audit', 'list', '--account', person.accountId);
  expect(entries.flatMap(({ action, changes }) => (action === 'user.operator_changed' ? [changes] : []))).toEqual([
    'operator: yes → no',
    'operator: no → yes',
  ]);
});

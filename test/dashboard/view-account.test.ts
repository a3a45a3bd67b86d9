import { describeOperations } from '../../src/operations';
import { signedUp, useDashboardStack, type Browser } from './browser';

const stack = useDashboardStack({ role: 'api' });

async function signedUpOperator() {
  const operator = await signedUp(stack);
  const users = stack.mongo.db.collection<{ _id: string }>('users');
  await users.updateOne({ _id: operator.userId }, { $set: { operator: true } });
  return operator;
}

/** An account with an endpoint that fails. */
async function troubled() {
  const { browser, ...account } = await signedUp(stack);
  const { body: endpoint } = await browser.post('/webhooks/endpoints', { url: 'http://127.0.0.1:9/x' });
  await stack.mongo.db.collection<{ _id: string }>('endpoint_health').insertOne({
    _id: endpoint.id,
    account_id: account.accountId,
    failed_at: new Date(),
    run: { since: new Date(Date.now() - 3_600_000), failures: 5, same_cause: 5 },
    cause: { code: 'connection_refused', statusCode: null, text: 'nothing listens on this port' },
    expires_at: new Date(Date.now() + 86_400_000),
  } as never);
  return { ...account, browser, endpointId: String(endpoint.id) };
}

/** Calls an operation with the endpoint's id wherever it takes one. */
function callOf(browser: Browser, method: string, path: string, endpointId: string) {
  return browser.call(
    method.toUpperCase(),
    path.replace('{endpoint_id}', endpointId).replaceAll(/\{\w+\}/g, 'x'),
    ['get', 'delete'].includes(method) ? undefined : {},
  );
}

it('an operator sees which accounts need attention, and others do not learn that such a page exists', async () => {
  const { accountId, email, browser } = await troubled();
  const operator = await signedUpOperator();

  const { body } = await operator.browser.get('/installation');
  const row = body.accounts.find((it: { account: { id: string } }) => it.account.id === accountId);
  expect(row).toMatchObject({ account: { email }, failing: 1, disabled: 0, paused: 0, backlog: { deliveries: 0 } });
  expect(Date.parse(row.failing_since)).toBeLessThan(Date.now() - 3_500_000);
  expect((await browser.get('/installation')).status).toBe(404);
  expect((await browser.post(`/accounts/${accountId}/view`)).status).toBe(404);
});

it('an operator reads another account, whose log says so, and comes back', async () => {
  const { accountId, email, endpointId, browser } = await troubled();
  const operator = await signedUpOperator();

  expect((await operator.browser.post(`/accounts/${accountId}/view`)).status).toBe(204);
  expect((await operator.browser.get('/me')).body).toMatchObject({ is_view: true, account: { id: accountId, email } });
  expect((await operator.browser.get('/webhooks/endpoints')).body.endpoints).toMatchObject([{ id: endpointId }]);
  expect((await operator.browser.get('/overview')).body.attention).toMatchObject([{ endpoint: { id: endpointId } }]);
  const { body: log } = await browser.get('/audit?action=account.viewed');
  expect(log.entries).toMatchObject([{ actor: { name: operator.email }, object: accountId }]);

  expect((await operator.browser.delete('/view')).status).toBe(204);
  const { body: me } = await operator.browser.get('/me');
  expect(me).toMatchObject({ is_view: false, account: { id: operator.accountId } });
  expect((await operator.browser.get('/webhooks/endpoints')).body.endpoints).toEqual([]);
});

it('a user who is no operator any more sees the own account again', async () => {
  const { accountId } = await troubled();
  const operator = await signedUpOperator();
  await operator.browser.post(`/accounts/${accountId}/view`);
  const users = stack.mongo.db.collection<{ _id: string }>('users');
  await users.updateOne({ _id: operator.userId }, { $set: { operator: false } });

  const { body: me } = await operator.browser.get('/me');
  expect(me).toMatchObject({ is_view: false, account: { id: operator.accountId } });
});

it('in a view every change and every secret is refused', async () => {
  const { accountId, endpointId } = await troubled();
  const operator = await signedUpOperator();
  await operator.browser.post(`/accounts/${accountId}/view`);
  const isRefused = ({ method, ...operation }: { readonly method: string; readonly scopes?: readonly string[] }) =>
    method !== 'get' || operation.scopes?.includes('secrets:read') === true;
  const refused = describeOperations()
    .dashboard.session.operations.filter(isRefused)
    .filter(({ id }) => !['signOut', 'viewAccount', 'leaveAccount'].includes(id));
  expect(refused.length).toBeGreaterThan(20);

  for (const { id, method, path } of refused) {
    const answer = await callOf(operator.browser, method, path, endpointId);
    expect([id, answer.status, answer.body.code]).toEqual([id, 403, 'read_only_view']);
  }
  expect((await operator.browser.get('/webhooks/endpoints')).body.endpoints).toMatchObject([{ status: 'active' }]);
});

import { eventually } from '../support/eventually';
import { useApi } from '../support/build-api';
import { cliOf } from '../support/run-cli';
import { signedUp, useDashboardStack } from './browser';
import { followLive } from './follow-live';

const stack = useDashboardStack({ role: 'api' });
const otherApi = useApi(stack);
const { json } = cliOf(stack);
const open: { close(): void }[] = [];
afterEach(() => open.splice(0).forEach((stream) => stream.close()));

it('a suspension ends live updates in every process, and each request says that the account is suspended', async () => {
  const { browser, accountId } = await signedUp(stack);
  const streams = await Promise.all([stack.url, otherApi.url].map((url) => followLive(browser, url)));
  open.push(...streams);
  await Promise.all(streams.map((stream) => stream.ready()));

  await json('account', 'suspend', '--id', accountId);

  const refused = await browser.get('/me');
  expect([refused.status, refused.body.code]).toEqual([403, 'account_suspended']);
  await eventually(
    () => streams.every((stream) => stream.messages().at(-1)?.event === 'end'),
    (haveEnded) => haveEnded,
  );
});

it('a session from before a suspension stays ended after the resume', async () => {
  const { browser, accountId } = await signedUp(stack);
  const other = await signedUp(stack);

  await json('account', 'suspend', '--id', accountId);
  await json('account', 'resume', '--id', accountId);

  expect((await browser.get('/me')).body.code).toBe('session_required');
  expect((await other.browser.get('/me')).status).toBe(200);
});

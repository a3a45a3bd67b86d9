import { setTier } from '../../src/accounts/manage-accounts';
import { createAccountStore } from '../../src/accounts/account-store';
import { BY_COMMAND_LINE } from '../../src/domain/audit-actions';
import { MAX_ENDPOINTS } from '../../src/domain/tiers';
import { systemClock } from '../../src/platform/clock';
import { apiClient, expectError, statusesOf } from '../support/api-client';
import { buildCaller, takeEndpointPlaces, type Caller } from '../support/build-caller';
import { useStack } from '../support/build-stack';

const PATH = '/api/v1/webhooks/endpoints';
const URL = 'https://example.com/hook';

const tier = { monthlyQuota: null, perMinute: 3_000 };
const tiers = [
  { ...tier, id: 'few', name: 'Few', endpoints: 3 },
  { ...tier, id: 'many', name: 'Many', endpoints: MAX_ENDPOINTS },
];
const stack = useStack({ role: 'api', env: { TIERS: JSON.stringify(tiers) } });

const moveTo = (caller: Caller, to: string) => {
  const { config, mongo } = stack;
  const deps = { accounts: createAccountStore(mongo.db), tiers: config.limits.tiers, clock: systemClock };
  return setTier(deps, { accountId: caller.accountId, tier: to }, BY_COMMAND_LINE);
};

const expectFull = (answer: Parameters<typeof expectError>[0], limit: number): void =>
  expectError(answer, 409, { code: 'endpoint_limit_reached', error: expect.stringContaining(`${limit} endpoints`) });

it("the account's tier bounds its endpoints, also of calls at once, and the error says the number", async () => {
  const caller = await buildCaller(stack, { tier: 'few' });
  const answers = await Promise.all(Array.from({ length: 6 }, () => caller.post(PATH, { url: URL })));
  expect(statusesOf(answers)).toEqual([201, 201, 201, 409, 409, 409]);
  for (const answer of answers.filter(({ status }) => status === 409)) expectFull(answer, 3);
  expectFull(await caller.call('PUT', `${PATH}/fourth`, { url: URL }), 3);
});

it('a higher tier applies at once; of a lower one, an account keeps what it has and gets no more', async () => {
  const caller = await buildCaller(stack, { tier: 'few' });
  for (let count = 0; count < 3; count += 1) await caller.register({ url: URL });
  expectFull(await caller.post(PATH, { url: URL }), 3);
  await moveTo(caller, 'many');
  const { id } = await caller.register({ url: URL });
  await caller.register({ url: URL });
  await moveTo(caller, 'few');
  expectFull(await caller.post(PATH, { url: URL }), 3);
  // The place of a removed one is free, and there are still more than three.
  await caller.delete(`${PATH}/${id}`);
  expectFull(await caller.post(PATH, { url: URL }), 3);
  expect((await caller.get(PATH)).body.endpoints).toHaveLength(4);
});

it('an account has its own limit before that of its tier, at once', async () => {
  const platform = apiClient(stack.url, (await stack.managementKey()).key);
  const setLimits = (limits: object) => platform.put('/api/v1/accounts/own', { tier: 'few', limits });
  const register = () => platform.post(PATH, { url: URL }, { 'Everpost-Account': 'own' });
  await setLimits({ endpoints: 1 });
  expect((await register()).status).toBe(201);
  expectFull(await register(), 1);
  await setLimits({ endpoints: 4 });
  expect(statusesOf([await register(), await register(), await register()])).toEqual([201, 201, 201]);
  expectFull(await register(), 4);
  await setLimits({});
  expectFull(await register(), 3);
});

it('an account can have 1,000: each gets an event, and pages list them all', async () => {
  const caller = await buildCaller(stack, { tier: 'many' });
  await caller.register({ url: URL });
  await takeEndpointPlaces(stack, caller.accountId, MAX_ENDPOINTS - 2);
  await caller.register({ url: URL });
  expectFull(await caller.post(PATH, { url: URL }), MAX_ENDPOINTS);

  const event = await caller.ingest();
  expect(event.deliveries).toBe(MAX_ENDPOINTS);
  expect((await caller.get(`/api/v1/webhooks/events/${event.id}`)).body.deliveries).toHaveLength(MAX_ENDPOINTS);

  const seen = new Set<string>();
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await caller.get(`${PATH}?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`);
    for (const { id } of body.endpoints) seen.add(id);
    cursor = body.next_cursor;
  }
  expect(seen.size).toBe(MAX_ENDPOINTS);
});

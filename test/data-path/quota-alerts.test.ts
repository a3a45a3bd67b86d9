import { randomUUID } from 'node:crypto';
import { mailChannel, QUOTAS, webhookChannel } from '../../src/alerts/channels';
import { tellQuotasOnce, type TellQuotasDeps } from '../../src/alerts/tell-quotas';
import { createLogger } from '../../src/platform/logger';
import { createMailer } from '../../src/platform/mailer';
import { createJsonPoster } from '../../src/platform/post-json';
import { startRole, type RunningRole } from '../../src/processes/start-role';
import type { StoredEvent } from '../../src/stores/event-store';
import { apiClient } from '../support/api-client';
import { useReceiver } from '../support/build-receiver';
import { useDataPath } from '../support/build-data-path';
import { useMailServer } from '../support/build-mail-server';
import { buildAccount } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';
import { watchReads } from '../support/watch-reads';
import { openedEvents } from '../support/open-payloads';

// Who is told that an account reached 80 and 100 % of its monthly quota: the account by an operational event, the
// operator by mail and chat. Once each, with any number of processes.

const TIERS = JSON.stringify([
  { id: 'ten', name: 'Ten calls', monthlyQuota: 10, perMinute: 1_000 },
  { id: 'twenty', name: 'Twenty calls', monthlyQuota: 20, perMinute: 1_000 },
]);
const ADDRESSES = { from: 'everpost@example.com', to: ['ops@example.com'] };

const path = useDataPath({ env: { TIERS } });
const listener = useReceiver();
const chat = useReceiver();
const mailServer = useMailServer();
const startApi = (): Promise<RunningRole> => startRole('api', path.config, createLogger('silent'));
const apis = useFixture(
  'file',
  () => Promise.all([startApi(), startApi()]),
  (running) => Promise.all(running.map((api) => api.close())),
);

// A test counts everything that is told.
afterEach(async () => {
  await path.clear();
  for (const name of ['reached_quotas', 'notices']) await path.mongo.db.collection(name).deleteMany({});
});

interface Row {
  readonly account_id: string;
  readonly level: number;
  readonly resets_at: Date;
}
const rows = () => path.mongo.db.collection<Row>('reached_quotas');
const accounts = () => path.mongo.db.collection<{ _id: string; limits: { quota_used: number } }>('accounts');

/** An account with an endpoint for operational events: its first call. */
async function buildCustomer(tier = 'ten') {
  const { accountId, key } = await buildAccount(path.config, path.mongo, { tier });
  const call = async (times: number, { url } = apis[0]): Promise<number[]> => {
    const statuses: number[] = [];
    for (let count = 0; count < times; count += 1) {
      statuses.push((await apiClient(url!, key).get('/api/v1/keys/self')).status);
    }
    return statuses;
  };
  const events = ['everpost.quota.*'];
  const { status } = await apiClient(apis[0].url!, key).post('/api/v1/webhooks/endpoints', {
    url: listener.url,
    events,
  });
  expect(status).toBe(201);
  /** An API notes a level beside the call that reaches it. */
  const untilNoted = (level: number): Promise<Row | null> =>
    eventually(
      () => rows().findOne({ account_id: accountId, level }),
      (row) => row !== null,
    );
  return { accountId, call, untilNoted };
}

const channels = () => [
  ...path.parts.channels.quotas,
  mailChannel(QUOTAS, createMailer(mailServer.url), ADDRESSES),
  webhookChannel(QUOTAS, createJsonPoster(`${chat.url}/chat-secret`)),
];

/** One round of a worker. */
const round = (deps: Partial<TellQuotasDeps> = {}): Promise<void> =>
  tellQuotasOnce({ ...path.parts.stores, channels: channels(), logger: createLogger('silent'), ...deps });

/** As if the claims of other rounds had ended. */
async function claimsEnd(): Promise<void> {
  await path.mongo.db.collection('notices').updateMany({}, [{ $set: { claimed_until: '$$NOW' } }]);
}

const dataOf = ({ data }: StoredEvent) => JSON.parse(Buffer.from(data!.value()).toString()) as Record<string, unknown>;
const told = async (): Promise<Record<string, unknown>[]> =>
  (
    await openedEvents(
      path,
      await path.events
        .find({ type: /^everpost\.quota\./ })
        .sort({ accepted_at: 1 })
        .toArray(),
    )
  ).map(dataOf);
/** A long header is on several lines. */
const subjects = (): string[] =>
  mailServer.mails.map(({ raw }) => /^Subject: (.*)$/m.exec(raw.replace(/\r\n /g, ' '))![1]!.trim());
const posted = (): string[] => chat.requests.map(({ body }) => (JSON.parse(body.toString()) as { text: string }).text);

it('an account that reaches 80 % and then 100 % of its quota is told of twice, once on each channel', async () => {
  const { accountId, call, untilNoted } = await buildCustomer();
  await call(6);
  await round();
  expect([await told(), subjects(), posted()]).toEqual([[], [], []]);

  await call(1);
  const { resets_at: resetsAt } = (await untilNoted(80))!;
  // Both processes, and what they count after they were told.
  await call(1, apis[1]);
  for (let count = 0; count < 3; count += 1) await round();

  expect(await told()).toEqual([
    {
      percent: 80,
      quota_limit: 10,
      quota_used: 8,
      reached_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      reset_at: resetsAt.toISOString(),
    },
  ]);
  expect(mailServer.mails.map(({ from, to }) => ({ from, to }))).toEqual([ADDRESSES]);
  expect(subjects()).toEqual(['Everpost: 1 account used 80 % of its monthly quota']);
  expect(posted()).toEqual([expect.stringContaining(`- account ${accountId}: 8 of 10 calls at `)]);
  expect(posted()[0]).toContain(`resets at ${resetsAt.toISOString().slice(0, 10)} 00:00:00 UTC`);

  expect(await call(3)).toEqual([200, 429, 429]);
  await untilNoted(100);
  expect(await call(1, apis[1])).toEqual([429]);
  for (let count = 0; count < 3; count += 1) await round();

  expect((await told()).map(({ percent, quota_used: used }) => [percent, used])).toEqual([
    [80, 8],
    [100, 10],
  ]);
  expect(subjects()[1]).toBe('Everpost: 1 account used up its monthly quota');
  expect([mailServer.mails.length, posted().length]).toEqual([2, 2]);
});

it('through the roles: a worker sends the mail and the message, and the event arrives', async () => {
  const { accountId, call, untilNoted } = await buildCustomer();
  await call(7);
  await untilNoted(80);
  const alerts = { mail: { smtpUrl: mailServer.url, ...ADDRESSES }, webhookUrl: chat.url };
  const worker = await startRole('worker', { ...path.config, alerts }, createLogger('silent'));
  try {
    const [[message], [event]] = await Promise.all([chat.waitFor(1), listener.waitFor(1)]);
    await eventually(subjects, ({ length }) => length > 0);

    expect(message!.body.toString()).toContain(`- account ${accountId}: 8 of 10 calls at `);
    expect(subjects()).toEqual(['Everpost: 1 account used 80 % of its monthly quota']);
    expect(event!.headers['x-webhook-type']).toBe('everpost.quota.reached');
    expect(JSON.parse(event!.body.toString())).toMatchObject({ data: { percent: 80, quota_limit: 10, quota_used: 8 } });
  } finally {
    await worker.close();
  }
});

it('an API that starts again, and calls that are returned to the quota, cause no second alert', async () => {
  const { accountId, call, untilNoted } = await buildCustomer();
  await call(9);
  await untilNoted(100);
  await round();
  const restarted = await startApi();
  try {
    await call(1, restarted);
    await accounts().updateOne({ _id: accountId }, { $inc: { 'limits.quota_used': -2 } });
    expect(await call(3, restarted)).toEqual([200, 200, 429]);
  } finally {
    await restarted.close();
  }
  await claimsEnd();
  await round();

  expect([(await told()).length, mailServer.mails.length, posted().length]).toEqual([1, 1, 1]);
});

it('one alert is sent when 80 % and 100 % are crossed in the same interval', async () => {
  const { call, untilNoted } = await buildCustomer();
  await call(10);
  await untilNoted(100);
  await round();

  expect((await told()).map(({ percent }) => percent)).toEqual([100]);
  expect(subjects()).toEqual(['Everpost: 1 account used up its monthly quota']);
});

/** Three accounts of which one used up its quota, and two used 80 %. */
async function buildThree(): Promise<void> {
  const [first, second, third] = await Promise.all([buildCustomer(), buildCustomer(), buildCustomer()]);
  await Promise.all([first.call(10), second.call(7), third.call(7)]);
  await Promise.all([first.untilNoted(100), second.untilNoted(80), third.untilNoted(80)]);
}

it('all accounts that one look finds are in one mail', async () => {
  await buildThree();
  await round();

  expect(subjects()).toEqual([
    'Everpost: 1 account used up its monthly quota, 2 accounts used 80 % of their monthly quotas',
  ]);
  expect(posted()).toHaveLength(1);
});

it('a level that is reached while a lower one is announced is announced next', async () => {
  const { call, untilNoted } = await buildCustomer();
  await call(7);
  await untilNoted(80);
  const { reachedQuotas } = path.parts.stores;
  const later = async (found: Parameters<typeof reachedQuotas.markAnnounced>[0]) => {
    await call(2);
    await untilNoted(100);
    await reachedQuotas.markAnnounced(found);
  };
  await round({ reachedQuotas: { ...reachedQuotas, markAnnounced: later } });
  await round();

  expect((await told()).map(({ percent }) => percent)).toEqual([80, 100]);
});

it('a worker of a version before quotas were told claims none of their notices', async () => {
  const { call, untilNoted } = await buildCustomer();
  await call(7);
  await untilNoted(80);
  mailServer.refuse(true);
  chat.answerWith(500);
  await round();
  await claimsEnd();
  const { notices } = path.parts.stores;
  for (const channel of ['event', 'mail', 'webhook']) expect(await notices.claim(channel, randomUUID())).toEqual([]);

  mailServer.refuse(false);
  chat.answerWith(200);
  await round();

  expect([(await told()).length, mailServer.mails.length, posted().length]).toEqual([1, 1, 2]);
});

it('a tier with another quota is announced for itself', async () => {
  const { accountId, call, untilNoted } = await buildCustomer();
  await call(9);
  await untilNoted(100);
  await round();
  await accounts().updateOne({ _id: accountId }, { $set: { tier: 'twenty' } });
  await call(5);
  await round();
  expect(await told()).toHaveLength(1);

  await call(1);
  await untilNoted(80);
  await round();

  expect((await told()).map(({ percent, quota_limit: limit }) => [percent, limit])).toEqual([
    [100, 10],
    [80, 20],
  ]);
});

it('the next month is announced for itself, and a month that is over is not', async () => {
  const { accountId, call, untilNoted } = await buildCustomer();
  await call(7);
  await untilNoted(80);
  await rows().updateMany({}, [{ $set: { resets_at: '$$NOW' } }]);
  await round();
  expect(await told()).toEqual([]);

  const { reachedQuotas } = path.parts.stores;
  const now = new Date();
  for (const months of [1, 2]) {
    const resetsAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
    await rows().deleteMany({ resets_at: { $lte: now } });
    await reachedQuotas.note({
      account_id: accountId,
      level: 100,
      used: 10,
      limit: 10,
      reached_at: now,
      resets_at: resetsAt,
    });
  }
  await round();
  expect(await told()).toHaveLength(2);
});

it.each([
  ['an account below 80 %', 'ten', 6, undefined],
  ['an account without a quota', 'enterprise', 20, undefined],
  ['a suspended account', 'ten', 9, { suspended_at: new Date(0) }],
] as const)('no one is told of %s', async (_title, tier, calls, change) => {
  const { accountId, call } = await buildCustomer(tier);
  if (change) await accounts().updateOne({ _id: accountId }, { $set: { ...change, 'limits.quota_used': 10 } });
  await call(calls);
  // What another account's call adds shows that nothing is to come.
  const other = await buildCustomer();
  await other.call(9);
  await other.untilNoted(100);
  await round();

  expect(posted()).toEqual([expect.stringContaining(`account ${other.accountId}`)]);
  expect(posted()[0]).not.toContain(accountId);
});

it('counting a call stays one command; each level costs each API one more', async () => {
  const { db } = path.mongo;
  const { call, untilNoted } = await buildCustomer();
  const profile = db.collection('system.profile');
  const commandsOn = (collection: string, op: object): Promise<number> =>
    profile.countDocuments({ ns: `${db.databaseName}.${collection}`, ...op });
  await db.setProfilingLevel('all');
  try {
    await call(6);
    await call(3);
    await untilNoted(100);
    await call(20);
    await call(20, apis[1]);
    // 80 % and 100 % at the first API, 100 % at the second one.
    await eventually(
      () => commandsOn('reached_quotas', { op: 'update' }),
      (count) => count >= 3,
    );
  } finally {
    await db.setProfilingLevel('off');
  }

  expect(await commandsOn('accounts', { 'command.findAndModify': { $exists: true } })).toBe(6 + 3 + 20 + 20);
  expect(await commandsOn('accounts', { op: 'update' })).toBe(0);
  expect(await commandsOn('reached_quotas', { op: 'update' })).toBe(3);
  await profile.drop();
});

it('a worker that looks reads the levels that are to be told, and no others', async () => {
  const { call, untilNoted } = await buildCustomer();
  await call(7);
  await untilNoted(80);
  const { reachedQuotas } = path.parts.stores;
  const [already] = await reachedQuotas.findUnannounced();
  for (let count = 0; count < 20; count += 1) {
    const reached = { ...already!, account_id: `acc_${count}` };
    await reachedQuotas.note(reached);
    await reachedQuotas.markAnnounced([reached]);
  }

  const reads = await watchReads(path.mongo, () => round());

  const look = reads.find(({ collection }) => collection === 'reached_quotas');
  expect(look).toMatchObject({ documents: 1, returned: 1, isScan: false, sorted: 0 });
});

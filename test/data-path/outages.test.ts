import { mailChannel, OUTAGES, webhookChannel } from '../../src/alerts/channels';
import { tellOutagesOnce, type TellOutagesDeps } from '../../src/alerts/tell-outages';
import { createLogger } from '../../src/platform/logger';
import { createMailer } from '../../src/platform/mailer';
import { createJsonPoster } from '../../src/platform/post-json';
import type { StoredEvent } from '../../src/stores/event-store';
import { useReceiver } from '../support/build-receiver';
import { ownType, useDataPath } from '../support/build-data-path';
import { MAIL_PASSWORD, useMailServer } from '../support/build-mail-server';
import { openedEvents } from '../support/open-payloads';

// Who is told that an endpoint fails, and that it recovered: the account by operational events, the operator by mail and
// chat. Once each.

const FAILING_AFTER_MS = 60_000;
const ADDRESSES = { from: 'everpost@example.com', to: ['ops@example.com', 'night@example.com'] };

const path = useDataPath();
const receiver = useReceiver(500);
const listener = useReceiver();
const chat = useReceiver();
const mailServer = useMailServer();
let type: string;
let id: string;

beforeEach(async () => {
  type = ownType();
  id = await path.endpoint(`${receiver.url}?token=in-the-url`, type);
  await path.endpoint(listener.url, 'everpost.endpoint.*');
});

// A test counts everything that is told.
afterEach(async () => {
  await path.clear();
  for (const name of ['endpoint_health', 'notices']) await path.mongo.db.collection(name).deleteMany({});
});

const channels = () => [
  ...path.parts.channels.outages,
  mailChannel(OUTAGES, createMailer(mailServer.url), ADDRESSES),
  webhookChannel(OUTAGES, createJsonPoster(`${chat.url}/chat-secret`)),
];

/** One round of a worker. */
const round = (deps: Partial<TellOutagesDeps> = {}): Promise<void> =>
  tellOutagesOnce({
    ...path.parts.stores,
    channels: channels(),
    failingAfterMs: FAILING_AFTER_MS,
    logger: createLogger('silent'),
    ...deps,
  });

/** Makes an attempt, whose answer is written at once. */
async function attempt(status: number, of = type): Promise<void> {
  receiver.answerWith(status);
  await path.attempt(of);
  await path.parts.answerLog.flush();
}

/** Lets time pass: the failures that there are began that long ago. */
async function failedFor(ms: number): Promise<void> {
  const health = path.mongo.db.collection('endpoint_health');
  await health.updateMany({ 'run.since': { $exists: true } }, [
    { $set: { 'run.since': { $subtract: ['$$NOW', ms] } } },
  ]);
}

/** As if the claims of other rounds had ended. */
async function claimsEnd(): Promise<void> {
  await path.mongo.db.collection('notices').updateMany({}, [{ $set: { claimed_until: '$$NOW' } }]);
}

const told = async (): Promise<StoredEvent[]> =>
  openedEvents(
    path,
    await path.events
      .find({ type: /^everpost\.endpoint\./ })
      .sort({ accepted_at: 1 })
      .toArray(),
  );
const dataOf = ({ data }: StoredEvent) => JSON.parse(Buffer.from(data!.value()).toString()) as Record<string, unknown>;
const posted = (): string[] => chat.requests.map(({ body }) => (JSON.parse(body.toString()) as { text: string }).text);

it('an endpoint that fails for long enough is told of once, on each channel, and its recovery too', async () => {
  await attempt(503);
  await attempt(500);
  await failedFor(FAILING_AFTER_MS);
  for (let count = 0; count < 3; count += 1) await round();

  const [failing, ...more] = await told();
  expect(more).toEqual([]);
  expect(failing!.type).toBe('everpost.endpoint.failing');
  const { failing_since: since } = dataOf(failing!);
  expect(dataOf(failing!)).toEqual({
    endpoint_id: id,
    failing_since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    failed_attempts: 2,
    last_status_code: 500,
    last_error_code: 'http_status',
  });
  expect(mailServer.mails.map(({ from, to }) => ({ from, to }))).toEqual([ADDRESSES]);
  expect(mailServer.mails[0]!.raw).toContain('Subject: Everpost: 1 endpoint fails');
  expect(posted()).toEqual([expect.stringContaining(`(${id}, account ${path.accountId}): failing since`)]);
  expect(posted()[0]).toContain('2 failed attempts in a row, last with: HTTP 500');

  await attempt(200);
  for (let count = 0; count < 3; count += 1) await round();

  const [, recovered, ...evenMore] = await told();
  expect(evenMore).toEqual([]);
  expect(recovered!.type).toBe('everpost.endpoint.recovered');
  expect(dataOf(recovered!)).toEqual({ endpoint_id: id, failing_since: since, recovered_at: expect.any(String) });
  expect(mailServer.mails).toHaveLength(2);
  expect(mailServer.mails[1]!.raw).toContain('Subject: Everpost: 1 endpoint recovered');
  expect(posted()[1]).toContain('recovered at');
});

it.each([
  ['an endpoint that fails for less than that', [500], FAILING_AFTER_MS - 10_000, undefined],
  ['one or two failures after a success', [200, 500, 500], FAILING_AFTER_MS, undefined],
  ['an endpoint that is paused', [500], FAILING_AFTER_MS, { status: 'paused' }],
  ['an endpoint of a suspended account', [500], FAILING_AFTER_MS, { account_suspended: true }],
] as const)('no one is told of %s', async (_title, answers, ms, change) => {
  for (const status of answers) await attempt(status);
  await failedFor(ms);
  if (change) await path.endpoints.updateOne({ _id: id }, { $set: change });
  await round();

  expect([await told(), mailServer.mails, posted()]).toEqual([[], [], []]);
});

it('an outage that ended before any alert is not told of, and a second outage is its own', async () => {
  await attempt(500);
  await failedFor(FAILING_AFTER_MS);
  await attempt(200);
  await round();
  expect(await told()).toEqual([]);

  for (let outage = 0; outage < 2; outage += 1) {
    for (let count = 0; count < 3; count += 1) await attempt(500);
    await failedFor((2 - outage) * FAILING_AFTER_MS);
    await round();
    await attempt(200);
    await round();
  }
  const kinds = (await told()).map((event) => event.type.split('.').at(-1));
  expect(kinds).toEqual(['failing', 'recovered', 'failing', 'recovered']);
});

it('two processes that look at once tell once', async () => {
  await attempt(500);
  await failedFor(FAILING_AFTER_MS);
  await Promise.all([round(), round(), round()]);

  expect((await told()).map((event) => event.type)).toEqual(['everpost.endpoint.failing']);
  expect([mailServer.mails.length, posted().length]).toEqual([1, 1]);
});

it('a channel that fails is used again later; the others tell once', async () => {
  await attempt(500);
  await failedFor(FAILING_AFTER_MS);
  mailServer.refuse(true);
  chat.answerWith(500);
  await round();
  expect([(await told()).length, mailServer.mails.length, posted().length]).toEqual([1, 0, 1]);
  chat.answerWith(200);
  mailServer.refuse(false);
  await round();
  // Not at once, so that a server that is down is not asked all the time.
  expect(mailServer.mails).toHaveLength(0);

  await claimsEnd();
  await round();
  await claimsEnd();
  await round();

  expect([(await told()).length, mailServer.mails.length, posted().length]).toEqual([1, 1, 2]);
});

it('a worker that dies before it has told loses nothing', async () => {
  await attempt(500);
  await failedFor(FAILING_AFTER_MS);
  const killed = (): Promise<never> => Promise.reject(new Error('killed'));
  const { outages, notices } = path.parts.stores;
  await expect(round({ outages: { ...outages, markAnnounced: killed } })).rejects.toThrow('killed');
  await expect(round({ notices: { ...notices, claim: killed } })).rejects.toThrow('killed');
  await round();
  await claimsEnd();
  await round();

  expect([(await told()).length, mailServer.mails.length, posted().length]).toEqual([1, 1, 1]);
});

it('a hundred endpoints that fail at once are one mail and one message', async () => {
  for (let index = 0; index < 97; index += 1) await path.endpoint(`${receiver.url}/${index}`, type);
  receiver.answerWith(500);
  const { starts } = await path.promise(type);
  const executor = path.executor();
  await Promise.all(
    starts.map(({ ref }) => executor.attemptDelivery({ ...ref, number: 1, nextDelayMs: 60_000, trigger: 'scheduled' })),
  );
  await path.parts.answerLog.flush();
  await failedFor(FAILING_AFTER_MS);
  await round();

  expect(mailServer.mails.map(({ raw }) => /^Subject: .*$/m.exec(raw)![0])).toEqual([
    'Subject: Everpost: 98 endpoints fail',
  ]);
  expect(posted()).toHaveLength(1);
  expect(posted()[0]).toContain('… and 78 more');
  expect(posted()[0]!.split('\n')).toHaveLength(22);
  expect(await told()).toHaveLength(98);
});

it('what is told contains no path of a URL, no secret and no password', async () => {
  await attempt(500);
  await failedFor(FAILING_AFTER_MS);
  const lines: string[] = [];
  const logger = createLogger('trace', { write: (line: string) => void lines.push(line) } as never);
  mailServer.refuse(true);
  chat.answerWith(404);
  await round({ logger });
  mailServer.refuse(false);
  await claimsEnd();
  await round({ logger });

  const all = [...lines, ...posted(), ...mailServer.mails.map(({ raw }) => raw)].join('\n');
  expect(lines.join('')).toContain('notices could not be sent yet');
  for (const secret of ['in-the-url', '/hook', 'chat-secret', MAIL_PASSWORD, 'whsec_']) {
    expect(all).not.toContain(secret);
  }
});

it('the number of endpoints by state is what Prometheus gets', async () => {
  await path.clear();
  const [bad, paused] = [await path.endpoint(receiver.url, type), await path.endpoint(receiver.url, 'other')];
  await path.endpoint(receiver.url, 'other');
  await path.endpoints.updateOne({ _id: paused }, { $set: { status: 'paused' } });
  await attempt(500);
  expect((await path.parts.stores.health.find([bad])).size).toBe(1);

  const lines = (await path.parts.metrics.registry.metrics()).split('\n');

  expect(lines.filter((line) => line.startsWith('everpost_endpoints{'))).toEqual([
    'everpost_endpoints{state="failing"} 1',
    'everpost_endpoints{state="paused"} 1',
    'everpost_endpoints{state="disabled"} 0',
    'everpost_endpoints{state="other"} 1',
  ]);
});

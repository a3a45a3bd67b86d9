import { randomUUID } from 'node:crypto';
import { cpus, loadavg } from 'node:os';
import { findChromium } from '../dev/find-chromium';
import { ATTEMPTS_COLLECTION } from '../src/stores/attempt-store';
import { EVENTS_COLLECTION } from '../src/stores/event-store';
import { buildBusyAccount, type BusyAccount } from './dashboard-account';
import { timeCalls, type CallTimes } from './dashboard-calls';
import { startPageWalker, type PageWalker, type TabRate } from './dashboard-pages';
import { examinedDuring, type Examined } from './examined';
import { publish } from './page';
import { rounded, whole } from './statistics';
import { startSystem, type System, type Tenant } from './system';

const PER_SECOND = 2;
/** The aims. */
const MAX_MS = 300;
const MAX_PER_MINUTE = 30;
const MAX_JAVASCRIPT_BYTES = 250_000;

/** With its share of attempts and of the journal. */
const BYTES_OF_EVENT = 1_500;
/** They take longer than the sweeper's longest interval. */
const PROFILED_ROUNDS = 8;
/** Plans that read less are left out of the table. */
const WORTH_SHOWING = 25;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

function option(name: string, fallback: number): number {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
}

/**
 * Measures how long the dashboard's pages wait for their data, for an account with a month of events, while deliveries
 * come in. `--events 50000` sets how many events; a million by default.
 */
async function main(): Promise<void> {
  const events = option('events', 1_000_000);
  const chromiumPath = await findChromium(process.env, say).catch((error: unknown) => say(String(error)));
  if (chromiumPath === undefined) return say('Without a Chromium it is not known what the pages ask for.');
  const system = await startSystem({ say, extraBytes: events * BYTES_OF_EVENT });
  try {
    const account = await buildBusyAccount(system, { events, say });
    const live = trickle(account.tenant);
    try {
      const measured = await measure(system, account, chromiumPath);
      const disk = await diskOf(system);
      const result = { events, ...measured, accepted_per_s: live.perSecond(), disk };
      if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(result)}\n`);
      else publish('dashboard', tableOf(result));
    } finally {
      live.stop();
    }
  } finally {
    await system.close();
  }
}

/** Sends events of which each goes to one endpoint. A refused one is not sent again. */
function trickle({ url, key }: Tenant) {
  const startedAt = performance.now();
  let accepted = 0;
  const send = async (): Promise<void> => {
    const answer = await fetch(`${url}/api/v1/webhooks/events`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ type: 'order.created', data: { customer_id: 'cus_77' }, idempotency_key: randomUUID() }),
    });
    if (answer.ok) accepted += 1;
  };
  const timer = setInterval(() => void send().catch(() => undefined), 1_000 / PER_SECOND);
  return {
    stop: (): void => clearInterval(timer),
    perSecond: (): number => rounded(accepted / ((performance.now() - startedAt) / 1_000), 2),
  };
}

interface Measured {
  readonly javascriptBytes: number;
  readonly tabs: readonly TabRate[];
  readonly calls: readonly CallTimes[];
  /** Of the requests, and of the background work meanwhile. */
  readonly examined: readonly Examined[];
}

async function measure(
  { url, mongo }: System,
  { sessions: tokens }: BusyAccount,
  chromiumPath: string,
): Promise<Measured> {
  const walker = await startPageWalker({ chromiumPath, url, tokens, say });
  const walked = await walk(walker).finally(() => void walker.close());
  say(`timing ${walked.calls.length} requests`);
  const calls = await timeCalls(url, tokens, walked.calls, option('rounds', 40));
  say('noting the plans of all queries');
  const examined = await examinedDuring(mongo, () => timeCalls(url, tokens, walked.calls, PROFILED_ROUNDS));
  return { ...walked, calls, examined };
}

async function walk(walker: PageWalker) {
  say('walking through the pages');
  const javascriptBytes = await walker.javascriptOfFirstLoad();
  const { calls, pages } = await walker.walk();
  say(`counting the requests of ${pages.length} open tabs`);
  const tabs = await walker.countTabs(pages, option('tab-seconds', 60));
  return { javascriptBytes, tabs, calls };
}

/** Bytes of a document on disk, on average. */
interface Disk {
  readonly collection: string;
  readonly data: number;
  readonly indexes: number;
}

async function diskOf({ mongo }: System): Promise<Disk[]> {
  // What is not in a checkpoint has no size yet.
  await mongo.db.admin().command({ fsync: 1 });
  return Promise.all(
    [EVENTS_COLLECTION, ATTEMPTS_COLLECTION].map(async (collection) => {
      const [stats] = await mongo.db
        .collection(collection)
        .aggregate<{ storageStats: { count: number; storageSize: number; totalIndexSize: number } }>([
          { $collStats: { storageStats: {} } },
        ])
        .toArray();
      const { count, storageSize, totalIndexSize } = stats!.storageStats;
      return { collection, data: Math.round(storageSize / count), indexes: Math.round(totalIndexSize / count) };
    }),
  );
}

interface Result extends Measured {
  readonly disk: readonly Disk[];
  readonly events: number;
  readonly accepted_per_s: number;
}

function tableOf({ events, accepted_per_s: perSecond, javascriptBytes, tabs, calls, examined, disk }: Result): string {
  const verdict = (isMet: boolean): string => (isMet ? '' : '**more**');
  return [
    `${whole(events)} events, ${perSecond} new ones a second. Node ${process.versions.node}, ${cpus().length} CPUs, ` +
      `load average ${rounded(loadavg()[0]!, 1)}. JavaScript of the first load: ${rounded(javascriptBytes / 1_000)} KB ` +
      `compressed${javascriptBytes <= MAX_JAVASCRIPT_BYTES ? '' : ', **more** than 250'}.`,
    '',
    `| Page | Request | p50 ms | p95 ms | max ms | |`,
    '| --- | --- | --- | --- | --- | --- |',
    ...calls.map(
      ({ page, path, p50, p95, max }) =>
        `| ${page} | \`${nameOf(path)}\` | ${p50} | ${p95} | ${max} | ${verdict(p95 <= MAX_MS)} |`,
    ),
    '',
    '| Open tab | Requests a minute | |',
    '| --- | --- | --- |',
    ...tabs.map(({ page, perMinute }) => `| ${page} | ${perMinute} | ${verdict(perMinute <= MAX_PER_MINUTE)} |`),
    '',
    '| Collection | Plan | Queries | Keys read, at most | Documents read, at most | ms, at most |',
    '| --- | --- | --- | --- | --- | --- |',
    ...examined
      .filter(({ keys, documents, plan }) => keys + documents > WORTH_SHOWING || plan.includes('COLLSCAN'))
      .map(
        ({ collection, plan, queries, keys, documents, ms }) =>
          `| \`${collection}\` | \`${plan}\` | ${queries} | ${whole(keys)} | ${whole(documents)} | ${ms} |`,
      ),
    '',
    '| Stored | Bytes on disk | Bytes of its indexes |',
    '| --- | --- | --- |',
    ...disk.map(({ collection, data, indexes }) => `| one of \`${collection}\` | ${data} | ${indexes} |`),
  ].join('\n');
}

/** A path without what all share, with `…` for ids and for what is long. */
function nameOf(path: string): string {
  const short = decodeURIComponent(path)
    .replace('/dashboard/api', '')
    .replaceAll(/\b(ep|rpl|key|acc|ses)_[0-9a-z]{26}/g, '…')
    .replaceAll(/\d{9,}/g, '…')
    .replaceAll('|', '\\|');
  return short.length > 80 ? `${short.slice(0, 79)}…` : short;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});

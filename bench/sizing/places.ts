import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { rounded } from '../statistics';
import type { Probed } from '../steady/probe';

/** The places that all events of an account, or all processes, pass through. */
const PLACE_NAMES = [
  'account, one process',
  'account',
  'account, read only',
  'event ids',
  'counter of a day',
  'revoked keys',
  'lease',
  'sweep',
  'scrape',
  'capacity',
] as const;
export type PlaceName = (typeof PLACE_NAMES)[number];

/** What `npm run bench:single-places` measured. */
export interface Places {
  readonly source: string;
  readonly places: Readonly<Record<PlaceName, Probed>>;
  /** CPU milliseconds of the primary, for each event and each stream. */
  readonly changeStreamCpuMs: number;
}

const FILE = resolve('bench', 'sizing', 'measured-places.json');

/** What the table adds up. */
const LOAD = { eventsPerS: 10_000, processes: 200 };
const IDS_PER_BLOCK = 1_000;
/** Counters of an account's day, and of its endpoint, type and key: each process adds to them once a second. */
const COUNTER_WRITES_PER_S = 1;
const REVOCATION_POLLS_PER_S = 4;
const LEASE_TRIES_PER_S = 1;
const SCRAPES_PER_S = 1 / 15;
const CAPACITY_READS_PER_S = 1 / 60;

export function readPlaces(): Places | undefined {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Places) : undefined;
}

export function writePlaces(places: Places): void {
  writeFileSync(FILE, `${JSON.stringify(places, null, 2)}\n`);
}

/** The section "No single place": what each costs for one account with all events. */
export function placesTable(measured: Places | undefined): string {
  if (!measured) return 'Not measured yet: `npm run bench:single-places -- --write` will.';
  const { places, source, changeStreamCpuMs } = measured;
  const { eventsPerS, processes } = LOAD;
  const cores = (name: PlaceName, perSecond: number): string =>
    `${rounded((perSecond * places[name].cpuMs) / 1_000, 2)} cores`;
  const { account, 'account, one process': alone, 'account, read only': read } = places;
  const rows: readonly (readonly [string, string, string, string])[] = [
    [
      'The document of one account: limits and quota',
      `${number(account.perSecond)} updates/s of ${processes} processes, p50 ${account.p50Ms} ms, p99 ${account.p99Ms} ms (one process alone: ${number(alone.perSecond)}/s); as reads ${number(read.perSecond)}/s, p99 ${read.p99Ms} ms`,
      `${rounded(eventsPerS / account.perSecond)} calls share an update, ${cores('account', account.perSecond)}; each ingest waits for one`,
      '[planned](#one-account-is-the-whole-company)',
    ],
    [
      'The counter of event ids',
      `${number(places['event ids'].perSecond)} blocks/s of ${number(IDS_PER_BLOCK)} ids, by a majority`,
      `${number(eventsPerS / IDS_PER_BLOCK)} blocks/s: ${rounded((eventsPerS / IDS_PER_BLOCK / places['event ids'].perSecond) * 100, 2)} % of it`,
      'built: blocks',
    ],
    [
      "Counters of one account's day, endpoint, type and key",
      `${number(places['counter of a day'].perSecond)} updates/s of one document`,
      `${number(processes * COUNTER_WRITES_PER_S)} updates/s of each: ${rounded(((processes * COUNTER_WRITES_PER_S) / places['counter of a day'].perSecond) * 100)} % of it`,
      'built: each process sums up for a second',
    ],
    [
      'Revoked keys, for each process',
      `${places['revoked keys'].cpuMs} ms of CPU for a read`,
      cores('revoked keys', processes * REVOCATION_POLLS_PER_S),
      'built: a read by id in place of a change stream (ADR 61)',
    ],
    [
      'The lease of the sweeper, for each worker',
      `${places.lease.cpuMs} ms of CPU for a try, ${number(places.lease.perSecond)}/s`,
      `${cores('lease', processes * LEASE_TRIES_PER_S)} with ${processes} workers`,
      'enough',
    ],
    [
      'The passes of the sweeper',
      `${places.sweep.cpuMs} ms of CPU for a pass that finds nothing`,
      'one pass a second in the whole installation; at most 500 missed deliveries a second after an outage',
      '[planned](#after-an-outage-one-sweeper)',
    ],
    [
      "Metrics of the installation, for each process's scrape",
      `${places.scrape.cpuMs} ms of CPU, and ${places.capacity.cpuMs} once a minute`,
      `${rounded((processes * (SCRAPES_PER_S * places.scrape.cpuMs + CAPACITY_READS_PER_S * places.capacity.cpuMs)) / 1_000, 2)} cores`,
      'enough; scrape these of one process if it is not',
    ],
    [
      'Change streams, for each process with a listener or an open dashboard',
      `${changeStreamCpuMs} ms of CPU for an event`,
      `${rounded((eventsPerS * changeStreamCpuMs) / 1_000, 2)} cores for each such process`,
      'built: one stream serves all listeners of a process. Send listeners and dashboards to a few API processes of their own',
    ],
  ];
  return [
    `At ${number(eventsPerS)} events/s of one account in ${processes} API processes. Measured on three members of one machine (${source}):`,
    '',
    '| Place | Measured | At that load | Remedy |',
    '| --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}

function number(value: number): string {
  return Math.round(value).toLocaleString('en');
}

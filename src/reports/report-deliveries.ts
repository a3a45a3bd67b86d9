import { latencyQuantile } from '../domain/attempt-counts';
import { deliveriesWithout, NO_DELIVERIES, sumDeliveries, type DeliveryCounts } from '../domain/delivery-counts';
import { NotFoundError } from '../domain/errors';
import { costOfCalls } from '../domain/exact-cost';
import type { KeyStore } from '../keys/key-store';
import type { Usage } from '../limits/limit-store';
import type { DeliveryCountStore, NamedCounts } from '../stores/delivery-count-store';
import type { EndpointStore } from '../stores/endpoint-store';
import type { DeliveryReport, ReportGroup } from './schema';

/** The database's time, and what the month's calls cost. */
type Limits = Pick<Usage, 'now' | 'tier' | 'quotaUsed'>;

/** What reporting deliveries needs. */
export interface DeliveryReportDeps {
  readonly deliveryCounts: Pick<DeliveryCountStore, 'days' | 'names'>;
  readonly endpoints: Pick<EndpointStore, 'listByAccount'>;
  readonly keys: Pick<KeyStore, 'labelsOf'>;
  readonly limiter: { read(accountId: string): Promise<Limits | null> };
}

/** What is asked for. */
export interface ReportWish {
  /** `2026-11`; the running month if undefined. */
  readonly month?: string | undefined;
  readonly by: ReportGroup;
}

/** The report has no pages: more rows would make a table that is hard to read. */
const MAX_ROWS = 100;
const PERCENT_OF_PERCENT = 10_000;

/**
 * An account's deliveries of a month (UTC), by endpoint, type, key or day, and those of the month before.
 *
 * @throws NotFoundError for an account that no longer exists
 */
export async function reportDeliveries(
  deps: DeliveryReportDeps,
  accountId: string,
  { month: asked, by }: ReportWish,
): Promise<DeliveryReport> {
  const limits = await deps.limiter.read(accountId);
  if (!limits) throw new NotFoundError('There is no such account.', 'account_not_found');
  const today = limits.now.toISOString().slice(0, 10);
  const running = today.slice(0, 7);
  const month = asked ?? running;
  const before = monthAfter(month, -1);
  const [days, counted] = await Promise.all([
    deps.deliveryCounts.days(accountId, `${before}-01`, `${month}-31`),
    by === 'day' ? [] : deps.deliveryCounts.names(accountId, by, month),
  ]);
  const ofMonth = days.filter(({ name }) => name.startsWith(month));
  const ofMonthBefore = days.filter(({ name }) => name.startsWith(before));
  const sameDay = month === running ? `${before}-${today.slice(8)}` : `${before}-31`;
  const totals = sumOf(ofMonth);
  const rows = by === 'day' ? ofMonth : counted.sort(byNumber).slice(0, MAX_ROWS);
  const other = deliveriesWithout(totals, sumOf(rows));
  const names = await namesOf(deps, accountId, by, rows);
  return {
    month,
    until: month === running ? limits.now.toISOString() : `${monthAfter(month, 1)}-01T00:00:00.000Z`,
    by,
    totals: presentCounts(totals),
    month_before: presentCounts(sumOf(ofMonthBefore)),
    month_before_to_date: presentCounts(sumOf(ofMonthBefore.filter(({ name }) => name <= sameDay))),
    rows: rows.map(({ name: id, counts }) => ({ id, name: names.get(id) ?? null, ...presentCounts(counts) })),
    other: numberOf(other) === 0 ? null : presentCounts(other),
    cost: month === running ? costOf(limits) : null,
  };
}

/** `2026-11` and so many months later. */
function monthAfter(month: string, months: number): string {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year!, number! - 1 + months)).toISOString().slice(0, 7);
}

function sumOf(counted: readonly NamedCounts[]): DeliveryCounts {
  return counted.reduce((sum, { counts }) => sumDeliveries(sum, counts), NO_DELIVERIES);
}

function numberOf({ accepted, delivered, failed, recovered }: DeliveryCounts): number {
  return accepted + delivered + failed + recovered;
}

function byNumber(one: NamedCounts, other: NamedCounts): number {
  return numberOf(other.counts) - numberOf(one.counts) || (one.name < other.name ? -1 : 1);
}

async function namesOf(
  { endpoints, keys }: Pick<DeliveryReportDeps, 'endpoints' | 'keys'>,
  accountId: string,
  by: ReportGroup,
  rows: readonly NamedCounts[],
): Promise<ReadonlyMap<string, string>> {
  if (by === 'endpoint') {
    const found = await endpoints.listByAccount(accountId);
    return new Map(found.map(({ _id, description, url }) => [_id, description || url]));
  }
  if (by !== 'key') return new Map();
  const found = await keys.labelsOf(rows.map(({ name }) => name));
  return new Map(found.map(({ _id, label }) => [_id, label]));
}

function presentCounts({ times, ...numbers }: DeliveryCounts): DeliveryReport['totals'] {
  const { delivered, failed } = numbers;
  const [p50, p95] = [latencyQuantile(times, 0.5), latencyQuantile(times, 0.95)];
  const ended = delivered + failed;
  return {
    ...numbers,
    delivered_share: ended === 0 ? null : Math.floor((delivered / ended) * PERCENT_OF_PERCENT) / PERCENT_OF_PERCENT,
    time_to_delivered_ms: p50 === null || p95 === null ? null : { p50, p95 },
  };
}

function costOf({ tier, quotaUsed }: Limits): DeliveryReport['cost'] {
  const { pricePer1000: price } = tier;
  if (price === undefined) return null;
  return { price_per_1000_calls: price, calls: quotaUsed, amount: costOfCalls(quotaUsed, price) };
}

import { shellQuoted } from '../../../src/domain/shell-quoted';
import type { Estimate } from '../../../src/domain/cost-estimate';
import type { PricedLine } from './shopping-list';

/**
 * The list as a CSV file (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe in front.
 */
export async function toCsv(lines: readonly PricedLine[], estimate: Estimate): Promise<string> {
  // Loaded only for an export.
  const { unparse } = await import('papaparse');
  const rows = lines.map(({ priced: { entry, form }, item, monthlyUsd }) => ({
    provider: entry.provider,
    category: entry.category,
    service: entry.service,
    instance: entry.instance,
    specs: entry.specs,
    region: entry.region,
    quantity: item.quantity,
    quantityMeans: form.quantityMeans,
    hoursPerMonth: item.hoursPerMonth ?? '',
    gbPerMonth: item.gbPerMonth ?? '',
    priceUsd: plainDecimal(entry.priceUsd),
    priceUnit: entry.priceUnit,
    monthlyUsd: monthlyUsd?.toFixed(2) ?? '',
  }));
  const totals = [
    { provider: 'total a month', monthlyUsd: estimate.totalMonthlyUsd.toFixed(2) },
    { provider: 'total a year', monthlyUsd: estimate.totalAnnualUsd.toFixed(2) },
  ];
  return unparse([...rows, ...totals], { escapeFormulae: true, newline: '\r\n' });
}

/** The list as the API would be asked, and as it would answer. */
export function toJson(lines: readonly PricedLine[], estimate: Estimate, now: Date): string {
  const answer = { ...estimate, generatedAt: now.toISOString() };
  return `${JSON.stringify({ request: requestOf(lines), response: answer }, null, 2)}\n`;
}

/** A command that asks the API for the same estimate. */
export function toCurl(lines: readonly PricedLine[], origin: string): string {
  const body = JSON.stringify(requestOf(lines));
  return [
    `curl -sS ${shellQuoted(`${origin}/api/cost-estimator`)}`,
    "-H 'Content-Type: application/json'",
    `--data-raw ${shellQuoted(body)}`,
  ].join(' \\\n  ');
}

function requestOf(lines: readonly PricedLine[]): object {
  return { items: lines.map(({ item }) => item) };
}

/** Spreadsheets read `1.66667e-5`, and people don't. */
function plainDecimal(number: number): string {
  return new Intl.NumberFormat('en-US', { maximumFractionDigits: 15, useGrouping: false }).format(number);
}

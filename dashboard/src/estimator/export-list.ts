import { shellQuoted } from '../../../src/domain/shell-quoted';
import { countedLines, countLeftOut, type PricedLine, type PricedList } from './shopping-list';

/**
 * The list as a CSV file (RFC 4180), after its discounts. A text that a spreadsheet would take for a formula gets an
 * apostrophe in front.
 */
export async function toCsv(list: PricedList): Promise<string> {
  // Loaded only for an export.
  const { unparse } = await import('papaparse');
  const rows = countedLines(list.lines).map(({ priced: { entry, form }, item, ...costs }) => ({
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
    listMonthlyUsd: costs.listUsd?.toFixed(2) ?? '',
    percentOff: costs.percentOff,
    monthlyUsd: costs.monthlyUsd?.toFixed(2) ?? '',
  }));
  return unparse([...rows, ...totalsOf(list)], { escapeFormulae: true, newline: '\r\n' });
}

function totalsOf(list: PricedList): readonly object[] {
  const left = countLeftOut(list);
  const name = left === 0 ? 'total' : `total without ${left} of ${list.lines.length} lines`;
  return (['month', 'year'] as const).map((span) => {
    const sum = span === 'month' ? 'totalMonthlyUsd' : 'totalAnnualUsd';
    return {
      provider: `${name} a ${span}`,
      listMonthlyUsd: list.listEstimate?.[sum].toFixed(2) ?? '',
      monthlyUsd: list.estimate?.[sum].toFixed(2) ?? '',
    };
  });
}

/**
 * The list as the API would be asked, and as it would answer: at list prices. With discounts, also those and what
 * comes of them.
 */
export function toJson(list: PricedList, now: Date): string {
  const { lines, counted: discounts, estimate, listEstimate } = list;
  const response = { ...listEstimate, generatedAt: now.toISOString() };
  const discounted = discounts.length === 0 ? {} : { discounts, discounted: estimate };
  return `${JSON.stringify({ request: requestOf(lines), response, ...discounted }, null, 2)}\n`;
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
  return { items: countedLines(lines).map(({ item }) => item) };
}

/** Spreadsheets read `1.66667e-5`, and people don't. */
function plainDecimal(number: number): string {
  return new Intl.NumberFormat('en-US', { maximumFractionDigits: 15, useGrouping: false }).format(number);
}

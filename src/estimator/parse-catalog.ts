import { parse } from 'csv-parse/sync';
import { keyOf, type CatalogRow } from '../domain/catalog';
import { InvalidRequestError } from '../domain/errors';
import { catalogRowSchema } from './schema';

/** The most rows in a catalog, which is one document in MongoDB and one answer of the API. */
const MAX_ROWS = 5_000;
/** The most problems that the message lists. */
const SHOWN_PROBLEMS = 20;

/**
 * Parses a catalog file, all or nothing: CSV with a header line, or JSON (an array of rows, or an object with
 * `services` like the answer of GET /api/cost-estimator).
 *
 * @throws InvalidRequestError whose message has a line for every problem, up to 20
 */
export function parseCatalog(content: string): CatalogRow[] {
  const text = content.replace(/^\uFEFF/, '');
  const values = /^\s*[[{]/.test(text) ? parseJson(text) : parseCsv(text);
  if (values.length === 0 || values.length > MAX_ROWS) {
    throw invalid([`A catalog has 1 to ${MAX_ROWS} rows; this one has ${values.length}.`]);
  }
  const problems: string[] = [];
  const rows = values.flatMap((value, index) => {
    const result = catalogRowSchema.safeParse(value);
    if (result.success) return [result.data];
    for (const { path, message } of result.error.issues)
      problems.push(`row ${index + 1}: ${[...path, message].join(' ')}`);
    return [];
  });
  if (problems.length === 0) problems.push(...contradictionsOf(rows));
  if (problems.length > 0) throw invalid(problems);
  return rows;
}

function parseJson(text: string): unknown[] {
  try {
    const value = JSON.parse(text) as unknown[] | { services?: unknown };
    const rows = Array.isArray(value) ? value : value.services;
    if (Array.isArray(rows)) return rows;
  } catch (error) {
    throw invalid([`It is not JSON: ${(error as Error).message}.`]);
  }
  throw invalid(['A JSON catalog is an array of rows, or an object with "services".']);
}

function parseCsv(text: string): unknown[] {
  try {
    const rows: Record<string, string>[] = parse(text, { columns: true, skip_empty_lines: true });
    return rows.map((row) => ({ ...row, priceUsd: priceOf(row['priceUsd']) }));
  } catch (error) {
    throw invalid([`It is not CSV: ${(error as Error).message}.`]);
  }
}

/** A plain decimal as a number; anything else stays text, and the schema refuses it. */
function priceOf(price: string | undefined): unknown {
  return price !== undefined && /^\d{1,7}(\.\d{1,15})?$/.test(price) ? Number(price) : price;
}

/** Contradictions between rows that are valid on their own. */
function contradictionsOf(rows: readonly CatalogRow[]): string[] {
  const firstRow = new Map<string, number>();
  const categories = new Map<string, string>();
  return rows.flatMap(({ provider, category, service, instance }, index) => {
    const serviceKey = JSON.stringify([provider, keyOf(service)]);
    const key = JSON.stringify([provider, keyOf(service), keyOf(instance)]);
    const earlier = firstRow.get(key);
    if (earlier !== undefined)
      return [`row ${index + 1}: ${provider} ${service} ${instance} is row ${earlier} already`];
    firstRow.set(key, index + 1);
    const known = categories.get(serviceKey);
    categories.set(serviceKey, known ?? category);
    return known === undefined || known === category
      ? []
      : [`row ${index + 1}: ${provider} ${service} is in the category ${known} already`];
  });
}

function invalid(problems: readonly string[]): InvalidRequestError {
  const more = problems.length - SHOWN_PROBLEMS;
  const lines = [...problems.slice(0, SHOWN_PROBLEMS), ...(more > 0 ? [`… and ${more} more`] : [])];
  return new InvalidRequestError(
    `The catalog can't be used; nothing was changed.\n${lines.join('\n')}`,
    'invalid_catalog',
  );
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { By } from '../domain/audit-actions';
import { keyOf, type CatalogRow } from '../domain/catalog';
import { parseCatalog } from './parse-catalog';
import { catalogOf, type Catalog, type CatalogStore, type StoredCatalog } from './catalog-store';

/** The difference of a row between two catalogs. */
export interface CatalogChange {
  /** `default`: an item without `instance` gets another instance. */
  readonly change: 'added' | 'removed' | 'changed' | 'default';
  readonly provider: string;
  readonly service: string;
  readonly instance: string;
  /** `priceUsd: 0.0416 → 0.05`; or the price of an added or removed row. */
  readonly what: string;
}

/** The changes from putting a catalog in force. */
export interface CatalogReplacement {
  readonly catalog: Catalog;
  readonly changes: readonly CatalogChange[];
}

type Deps = { readonly catalogs: Pick<CatalogStore, 'read' | 'replace'> };

/**
 * Puts an operator's catalog in force, as a whole or not at all.
 *
 * @param input `dryRun` only reports what would change
 * @throws InvalidRequestError with every problem of the file
 */
export async function importCatalog(
  deps: Deps,
  input: { content: string; dryRun: boolean; by: By },
): Promise<CatalogReplacement> {
  const catalog = catalogOf(parseCatalog(input.content), { source: 'imported' });
  return replaceCatalog(deps, { catalog, dryRun: input.dryRun, by: input.by });
}

/** Replaces the catalog in force. `dryRun` only reports what would change. */
export async function replaceCatalog(
  { catalogs }: Deps,
  { catalog, dryRun, by }: { catalog: Catalog; dryRun: boolean; by: By },
): Promise<CatalogReplacement> {
  const current: Pick<StoredCatalog, 'rows'> | null = await catalogs.read();
  const changes = changesBetween(current?.rows ?? [], catalog.rows);
  if (!dryRun) await catalogs.replace(catalog, by, `${catalog.rows.length} rows, ${changes.length} changes`);
  return { catalog, changes };
}

function changesBetween(before: readonly CatalogRow[], after: readonly CatalogRow[]): CatalogChange[] {
  const old = new Map(before.map((row) => [rowKey(row), row]));
  const kept = new Set(after.map(rowKey));
  const defaults = defaultsOf(before);
  const changes: CatalogChange[] = [];
  for (const row of after) {
    const was = old.get(rowKey(row));
    if (!was) changes.push(changeOf('added', row, priceOf(row)));
    else if (fieldsChanged(was, row) !== '') changes.push(changeOf('changed', row, fieldsChanged(was, row)));
  }
  for (const row of before) {
    if (!kept.has(rowKey(row))) changes.push(changeOf('removed', row, priceOf(row)));
  }
  for (const [service, row] of defaultsOf(after)) {
    const was = defaults.get(service);
    if (was && rowKey(was) !== rowKey(row)) changes.push(changeOf('default', row, `was ${was.instance}`));
  }
  return changes;
}

/** The rows for items without `instance`: the first row of each service. */
function defaultsOf(rows: readonly CatalogRow[]): Map<string, CatalogRow> {
  // A map keeps the last of equal keys.
  return new Map(rows.toReversed().map((row) => [JSON.stringify([row.provider, keyOf(row.service)]), row]));
}

function changeOf(change: CatalogChange['change'], row: CatalogRow, what: string): CatalogChange {
  return { change, provider: row.provider, service: row.service, instance: row.instance, what };
}

function fieldsChanged(was: CatalogRow, is: CatalogRow): string {
  return (Object.keys(is) as (keyof CatalogRow)[])
    .filter((name) => was[name] !== is[name])
    .map((name) => `${name}: ${was[name] === '' ? '(none)' : was[name]} → ${is[name] === '' ? '(none)' : is[name]}`)
    .join(', ');
}

function priceOf({ priceUsd, priceUnit }: CatalogRow): string {
  return `${priceUsd} ${priceUnit}`;
}

function rowKey({ provider, service, instance }: CatalogRow): string {
  return JSON.stringify([provider, keyOf(service), keyOf(instance)]);
}

/**
 * Must increase with every change of `catalog.csv`: the higher version wins when two versions of Everpost share a
 * database.
 */
const BUILT_IN_VERSION = 2;

let builtIn: Catalog | undefined;

/** The catalog that comes with this version of Everpost: read once in a process. */
export function readBuiltInCatalog(): Catalog {
  if (builtIn) return builtIn;
  const rows = parseCatalog(readFileSync(join(__dirname, 'catalog.csv'), 'utf8'));
  builtIn = catalogOf(rows, { source: 'built-in', version: BUILT_IN_VERSION });
  return builtIn;
}

import type { CatalogEntry, Category, Provider } from '../../../src/domain/catalog';
import { CATEGORY_NAMES, PROVIDER_NAMES } from './names';

/** What the catalog is narrowed down to. */
export interface CatalogFilter {
  readonly words: string;
  readonly provider: Provider | 'all';
  readonly category: Category | 'all';
}

/** Everything. */
export const NO_FILTER: CatalogFilter = { words: '', provider: 'all', category: 'all' };

/** The entries in which every word is found, in any field and any order. */
export function filterCatalog(entries: readonly CatalogEntry[], filter: CatalogFilter): readonly CatalogEntry[] {
  const words = filter.words.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(
    (entry) =>
      (filter.provider === 'all' || entry.provider === filter.provider) &&
      (filter.category === 'all' || entry.category === filter.category) &&
      words.every((word) => textOf(entry).includes(word)),
  );
}

/** The entries by provider and service, in catalog order. */
export function groupByService(
  entries: readonly CatalogEntry[],
): readonly (readonly [CatalogEntry, ...CatalogEntry[]])[] {
  const groups = new Map<string, [CatalogEntry, ...CatalogEntry[]]>();
  for (const entry of entries) {
    const key = `${entry.provider}/${entry.service}`;
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return [...groups.values()];
}

function textOf({ provider, category, service, instance, specs, priceUnit, region }: CatalogEntry): string {
  const names = `${PROVIDER_NAMES[provider]} ${CATEGORY_NAMES[category]}`;
  return `${provider} ${category} ${names} ${service} ${instance} ${specs} ${priceUnit} ${region}`.toLowerCase();
}

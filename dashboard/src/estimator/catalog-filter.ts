import type { CatalogEntry, Category, Provider } from '../../../src/domain/catalog';
import { termsOf, type SearchTerm } from './catalog-synonyms';
import { CATEGORY_NAMES, PROVIDER_NAMES } from './names';

/** What the catalog is narrowed down to. */
export interface CatalogFilter {
  readonly words: string;
  readonly provider: Provider | 'all';
  readonly category: Category | 'all';
}

/** Everything. */
export const NO_FILTER: CatalogFilter = { words: '', provider: 'all', category: 'all' };

/** What a filter finds. */
export interface FoundEntries {
  readonly entries: readonly CatalogEntry[];
  /** How many of them have another name than the search, and the same purpose. */
  readonly otherNames: number;
}

/**
 * The entries in which every word is found, in any field and any order; and those of services for the same purpose,
 * which each provider calls something else.
 */
export function filterCatalog(all: readonly CatalogEntry[], filter: CatalogFilter): FoundEntries {
  const terms = termsOf(filter.words);
  let otherNames = 0;
  const entries = all.filter((entry) => {
    if (filter.provider !== 'all' && entry.provider !== filter.provider) return false;
    if (filter.category !== 'all' && entry.category !== filter.category) return false;
    const text = textOf(entry);
    const matches = terms.map((term) => matchOf(term, entry, text));
    if (matches.includes('none')) return false;
    if (matches.includes('purpose')) otherNames += 1;
    return true;
  });
  return { entries, otherNames };
}

function matchOf(
  { words, services }: SearchTerm,
  { service }: CatalogEntry,
  text: string,
): 'text' | 'purpose' | 'none' {
  if (words.every((word) => text.includes(word))) return 'text';
  return services.has(service.toLowerCase()) ? 'purpose' : 'none';
}

function textOf({ provider, category, service, instance, specs, priceUnit, region }: CatalogEntry): string {
  const names = `${PROVIDER_NAMES[provider]} ${CATEGORY_NAMES[category]}`;
  return `${provider} ${category} ${names} ${service} ${instance} ${specs} ${priceUnit} ${region}`.toLowerCase();
}

import { CATEGORIES, keyOf, PROVIDERS, providerOf, type Category, type Provider } from '../domain/catalog';
import { InvalidRequestError, type ErrorDetail } from '../domain/errors';

/** The requested entries; an absent filter means all. */
export interface CatalogFilter {
  readonly provider: Provider | undefined;
  readonly category: Category | undefined;
}

type QueryValue = string | string[] | undefined;

/**
 * Parses the filters of GET /api/cost-estimator, ignoring capitals and surrounding spaces.
 *
 * @throws InvalidRequestError listing the allowed values, for every wrong parameter at once
 */
export function readCatalogFilter(query: Readonly<Record<string, QueryValue>>): CatalogFilter {
  const details: ErrorDetail[] = [];
  const read = <T>(name: string, find: (value: string) => T | undefined, allowed: string): T | undefined => {
    const value = query[name];
    if (value === undefined) return undefined;
    const found = typeof value === 'string' ? find(value) : undefined;
    if (found === undefined) details.push({ path: name, message: `must be one of ${allowed}` });
    return found;
  };
  const filter = {
    provider: read('provider', providerOf, `${PROVIDERS.join(', ')} (or cloud_a, cloud_b, cloud_c)`),
    category: read('category', categoryOf, CATEGORIES.join(', ')),
  };
  for (const name of Object.keys(query)) {
    if (!Object.hasOwn(filter, name)) details.push({ path: name, message: 'is not a known parameter' });
  }
  const [first] = details;
  if (!first) return filter;
  throw new InvalidRequestError(
    details.length === 1
      ? `"${first.path}" ${first.message}.`
      : `The query has ${details.length} problems; see details.`,
    'invalid_request',
    details,
  );
}

function categoryOf(value: string): Category | undefined {
  const key = keyOf(value);
  return CATEGORIES.find((category) => category === key);
}

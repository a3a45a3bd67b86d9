import { queryOptions } from '@tanstack/react-query';
import { createCatalogIndex, type CatalogEntry, type CatalogIndex } from '../../../src/domain/catalog';
import { callApi } from '../api/call-api';

/** A catalog hardly ever changes. */
export const FRESH_MS = 300_000;

/** The catalog, as a list in its own order and as an index to price by. */
export interface Catalog {
  readonly entries: readonly CatalogEntry[];
  readonly index: CatalogIndex;
}

/** The whole catalog, asked for once: filters and totals are made in the page. */
export const catalogQuery = queryOptions({
  queryKey: ['catalog'],
  staleTime: FRESH_MS,
  queryFn: async ({ signal }): Promise<Catalog> => {
    const { services } = await callApi<{ services: CatalogEntry[] }>('/api/cost-estimator', { signal });
    return { entries: services, index: createCatalogIndex(services) };
  },
});

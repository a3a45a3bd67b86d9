import type { CatalogEntry } from '../../../src/domain/catalog';
import { bySize, compareSizes, groupsOf, sizeOf } from './catalog-order';
import { formatCount } from './money';
import { PROVIDER_NAMES } from './names';

/** By what the catalog is sorted. */
export type CatalogSort = 'service' | 'vcpus' | 'memory' | 'price';

/** Entries under one heading. */
export interface CatalogGroup {
  readonly heading: string;
  /** All entries of a group are of this service; undefined if each has to say its own. */
  readonly service: CatalogEntry | undefined;
  readonly entries: readonly CatalogEntry[];
}

/**
 * The catalog in groups: by service; machines by vCPUs or by memory; or by price, one group for each price unit, since
 * a price per hour can't be compared with one per GB.
 *
 * @param isDescending the largest first; services have no such order
 */
export function sortCatalog(
  entries: readonly CatalogEntry[],
  sort: CatalogSort,
  isDescending: boolean,
): CatalogGroup[] {
  const turned = <Value>(values: readonly Value[]): readonly Value[] => (isDescending ? values.toReversed() : values);
  if (sort === 'service') {
    return groupsOf(entries, ({ provider, service }) => `${provider}/${service}`).map((group) => ({
      heading: `${PROVIDER_NAMES[group[0]!.provider]} ${group[0]!.service}`,
      service: group[0],
      entries: bySize(group),
    }));
  }
  if (sort === 'price') {
    return groupsOf(entries, ({ priceUnit }) => priceUnit)
      .toSorted((a, b) => b.length - a.length)
      .map((group) => ({
        heading: group[0]!.priceUnit,
        service: undefined,
        entries: turned(group.toSorted((a, b) => a.priceUsd - b.priceUsd)),
      }));
  }
  const field = sort === 'vcpus' ? 'vcpus' : 'memoryGib';
  const machines = entries.flatMap((entry) => {
    const size = sizeOf(entry);
    const value = size?.[field];
    return size && value !== undefined ? [{ entry, size, value }] : [];
  });
  const sorted = machines.toSorted(
    (a, b) => a.value - b.value || compareSizes(a.size, b.size) || a.entry.priceUsd - b.entry.priceUsd,
  );
  return groupsOf(turned(sorted), ({ value }) => String(value)).map((group) => ({
    heading:
      sort === 'vcpus' ? `${formatCount(group[0]!.value)} vCPU` : `${formatCount(group[0]!.value)} GiB of memory`,
    service: undefined,
    entries: group.map(({ entry }) => entry),
  }));
}

import { keyOf, PROVIDERS, type CatalogIndex, type PricedEntry, type Provider } from './catalog';
import type { ComparableGroup, WrittenOffer } from './comparable-group';
import { MACHINES } from './comparable-machines';
import { PLATFORM } from './comparable-platform';
import { SERVICES } from './comparable-services';
import { SIGNALS } from './comparable-signals';

/** What a provider has in place of an entry, for one of the entry's units. */
export interface Offer {
  readonly parts: readonly { readonly priced: PricedEntry; readonly quantity: number }[];
}

/** What one provider has in place of an entry. */
export interface Comparable {
  /** The usual one first; none means that the comparison would not be honest. */
  readonly offers: readonly Offer[];
  /** What the entry and the offers are, or why there are none. A sentence. */
  readonly reason: string;
}

/** How far memory may be apart: a GB is 7 % less than a GiB, and some catalogs say the one for the other. */
const MEMORY_BOUND = 0.1;

/** All groups: the judgement of the built-in catalog, which a test holds against its entries. */
export const COMPARABLE_GROUPS: readonly ComparableGroup[] = [...MACHINES, ...PLATFORM, ...SIGNALS, ...SERVICES];

const groupOf = new Map(
  COMPARABLE_GROUPS.flatMap((group) =>
    PROVIDERS.flatMap((provider) =>
      (group[provider] ?? []).flatMap((offer) =>
        typeof offer === 'string' ? [[keyOf(`${provider} / ${offer}`), group] as const] : [],
      ),
    ),
  ),
);

/** The group of an entry; undefined for an entry that an operator added. */
export function comparableGroupOf({ entry }: PricedEntry): ComparableGroup | undefined {
  return groupOf.get(keyOf(`${entry.provider} / ${entry.service} / ${entry.instance}`));
}

/**
 * What another provider has in place of an entry. An operator's catalog may say another size, unit or place than the
 * built-in one: such an entry is compared with nothing.
 */
export function comparableWith(index: CatalogIndex, priced: PricedEntry, provider: Provider): Comparable {
  const group = comparableGroupOf(priced);
  if (!group) return { offers: [], reason: 'No equivalent: this entry is not built in and has not been judged.' };
  const written = group[provider];
  if (!written) return { offers: [], reason: `No equivalent: ${group.none}.` };
  const offers = written.flatMap((offer) => offerOf(index, provider, offer) ?? []);
  const own: Offer = { parts: [{ priced, quantity: 1 }] };
  const comparable = offers.filter(
    (offer) => isSamePlaceAndUnit(priced, offer) && hasSize(group, own) && hasSize(group, offer),
  );
  return comparable.length > 0
    ? { offers: comparable, reason: `${group.what}.` }
    : {
        offers: [],
        reason: 'No equivalent: the catalog in use has it for another place, size or unit, or not at all.',
      };
}

/** Undefined if the catalog lacks a part. */
function offerOf(index: CatalogIndex, provider: Provider, written: WrittenOffer): Offer | undefined {
  const quantities = typeof written === 'string' ? { [written]: 1 } : written;
  const parts = Object.entries(quantities).flatMap(([name, quantity]) => {
    const [service, instance] = name.split(' / ') as [string, string];
    const priced = index.findService(provider, service)?.find(instance);
    return priced ? [{ priced, quantity }] : [];
  });
  return parts.length === Object.keys(quantities).length ? { parts } : undefined;
}

/** Whether the same usage means the same, and no price is for another part of the world. */
function isSamePlaceAndUnit({ entry, form }: PricedEntry, { parts }: Offer): boolean {
  return parts.every(({ priced: other }) => {
    const markets = [marketOf(entry.region), marketOf(other.entry.region)];
    return (
      other.form.usage === form.usage &&
      other.form.blockSize === form.blockSize &&
      (markets[0] === markets[1] || markets.includes('global'))
    );
  });
}

const UNITED_STATES = /^us$|^us-(east|west|central|south)|^(north|south|west)?(east|west|central)us\d*$/;

/** The part of the world that a price is for: a price list differs more between these than between their regions. */
export function marketOf(region: string): string {
  const name = region.toLowerCase();
  if (UNITED_STATES.test(name)) return 'united states';
  return /^eu\b|europe/.test(name) ? 'europe' : name;
}

function hasSize({ size }: ComparableGroup, { parts }: Offer): boolean {
  if (!size) return true;
  const vcpus = sum(parts, ({ priced: { entry } }) => stated(entry.specs, VCPUS) ?? unit(entry, 'per vCPU-hour'));
  const memory = sum(parts, ({ priced: { entry } }) => stated(entry.specs, MEMORY) ?? unit(entry, 'per GB-hour'));
  return vcpus === size.vcpus && Math.abs(memory / size.memoryGib - 1) <= MEMORY_BOUND;
}

const VCPUS = /([\d.]+) (?:shared )?vCPUs?\b/;
const MEMORY = /([\d.]+) Gi?B\b/;

function sum(parts: Offer['parts'], each: (part: Offer['parts'][number]) => number): number {
  return parts.reduce((total, part) => total + part.quantity * each(part), 0);
}

function stated(specs: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(specs)?.[1];
  return found === undefined ? undefined : Number(found);
}

function unit({ priceUnit }: { readonly priceUnit: string }, expected: string): number {
  return priceUnit === expected ? 1 : 0;
}

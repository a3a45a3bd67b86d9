import { exactly, type Exact } from './exact-cost';
import { formOfPriceUnit, type PriceUnitForm } from './price-unit';

/** The three cloud providers, as in records (docs/spec.md, "Cost estimator"). */
export const PROVIDERS = ['aws', 'azure', 'gcp'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** The neutral names in the specification; requests may use either. */
const PROVIDER_ALIASES: Readonly<Record<string, Provider>> = {
  cloud_a: 'aws',
  cloud_b: 'azure',
  cloud_c: 'gcp',
};

/** Every spelling of a provider that requests may use. */
export const PROVIDER_SPELLINGS: readonly string[] = [...PROVIDERS, ...Object.keys(PROVIDER_ALIASES)];

export const CATEGORIES = [
  'compute',
  'storage',
  'database',
  'networking',
  'containers',
  'serverless',
  'monitoring',
  'messaging',
  'cdn',
  'security',
  'cache',
  'ai_ml',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** A priced configuration, as in GET /api/cost-estimator. */
export interface CatalogEntry {
  readonly provider: Provider;
  readonly category: Category;
  readonly service: string;
  readonly instance: string;
  readonly specs: string;
  readonly priceUnit: string;
  /** US dollars per `priceUnit`. */
  readonly priceUsd: number;
  readonly region: string;
}

/** An entry with the meaning of its price unit. */
export interface PricedEntry {
  readonly entry: CatalogEntry;
  readonly form: PriceUnitForm;
  readonly exactPrice: Exact;
}

/** The entries of one service of one provider. */
export interface CatalogService {
  /** As the catalog spells it. */
  readonly name: string;
  /** The `keyOf` of the name. */
  readonly key: string;
  /** In catalog order: an item without `instance` gets the first one. */
  readonly entries: readonly PricedEntry[];
  find(instance: string): PricedEntry | undefined;
}

/** A catalog for look-ups that ignore capitals, and spaces around a name. */
export interface CatalogIndex {
  findService(provider: Provider, service: string): CatalogService | undefined;
  /** In catalog order. */
  servicesOf(provider: Provider): readonly CatalogService[];
}

/** The provider of a spelling, ignoring capitals and surrounding spaces. */
export function providerOf(spelling: string): Provider | undefined {
  const name = keyOf(spelling);
  return PROVIDERS.find((provider) => provider === name) ?? aliasOf(name);
}

/**
 * Makes a catalog searchable.
 *
 * @throws RangeError for an unknown price unit
 */
export function createCatalogIndex(entries: readonly CatalogEntry[]): CatalogIndex {
  const services = new Map<Provider, Map<string, MutableService>>(PROVIDERS.map((provider) => [provider, new Map()]));
  for (const entry of entries) {
    const form = formOfPriceUnit(entry.priceUnit);
    if (!form) throw new RangeError(`nothing can be calculated with the price unit "${entry.priceUnit}"`);
    const ofProvider = services.get(entry.provider)!;
    let service = ofProvider.get(keyOf(entry.service));
    if (!service) {
      service = createService(entry.service);
      ofProvider.set(service.key, service);
    }
    service.add({ entry, form, exactPrice: exactly(entry.priceUsd) });
  }
  return {
    findService: (provider, service) => services.get(provider)?.get(keyOf(service)),
    servicesOf: (provider) => [...services.get(provider)!.values()],
  };
}

/** The key by which two names are compared. */
export function keyOf(name: string): string {
  return name.trim().toLowerCase();
}

interface MutableService extends CatalogService {
  add(priced: PricedEntry): void;
}

function createService(name: string): MutableService {
  const entries: PricedEntry[] = [];
  const byInstance = new Map<string, PricedEntry>();
  return {
    name,
    key: keyOf(name),
    entries,
    find: (instance) => byInstance.get(keyOf(instance)),
    add(priced) {
      entries.push(priced);
      byInstance.set(keyOf(priced.entry.instance), priced);
    },
  };
}

function aliasOf(name: string): Provider | undefined {
  return Object.hasOwn(PROVIDER_ALIASES, name) ? PROVIDER_ALIASES[name] : undefined;
}

/** An entry and the source of its price: a row of a catalog file. */
export interface CatalogRow extends CatalogEntry {
  /** Where the price was read; empty if an operator gave no source. */
  readonly source: string;
  /** `2026`, `2026-07` or `2026-07-20`; `undated`; or empty. */
  readonly sourceDate: string;
  /** How the price follows from the source. */
  readonly note: string;
  /**
   * A: a line of a named public repository or an official page. B: a named third party. C: a weaker source. May be
   * empty.
   */
  readonly grade: string;
}

/** The public part of a row. */
export function entryOf({ source: _s, sourceDate: _d, note: _n, grade: _g, ...entry }: CatalogRow): CatalogEntry {
  return entry;
}

/** Where the price of an entry comes from, as in GET /api/cost-estimator/sources. */
export type PriceSource = Pick<
  CatalogRow,
  'provider' | 'service' | 'instance' | 'source' | 'sourceDate' | 'note' | 'grade'
>;

/** The part of a row about the source of its price. */
export function sourceOf({ provider, service, instance, source, sourceDate, note, grade }: CatalogRow): PriceSource {
  return { provider, service, instance, source, sourceDate, note, grade };
}

import { exactly, type Exact } from './exact-cost';
import { formOfPriceUnit, type PriceUnitForm } from './price-unit';

/** The three cloud providers, as records show them (docs/spec.md, "Cost estimator"). */
export const PROVIDERS = ['aws', 'azure', 'gcp'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** The neutral names of the specification; requests may use either. */
const PROVIDER_ALIASES: Readonly<Record<string, Provider>> = {
  cloud_a: 'aws',
  cloud_b: 'azure',
  cloud_c: 'gcp',
};

/** Every spelling of a provider that a request may use. */
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

/** A priced configuration, as GET /api/cost-estimator shows it. */
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

/** An entry with what its price unit means. */
export interface PricedEntry {
  readonly entry: CatalogEntry;
  readonly form: PriceUnitForm;
  readonly exactPrice: Exact;
}

/** The entries of one service of one provider. */
export interface CatalogService {
  /** As the catalog spells it. */
  readonly name: string;
  /** In catalog order: the first is what an item without `instance` gets. */
  readonly entries: readonly PricedEntry[];
  find(instance: string): PricedEntry | undefined;
}

/** A catalog to look things up in, whatever the capitals and the spaces around a name. */
export interface CatalogIndex {
  findService(provider: Provider, service: string): CatalogService | undefined;
  /** In catalog order. */
  servicesOf(provider: Provider): readonly CatalogService[];
}

/** The provider that a spelling means: capitals and spaces around it don't matter. */
export function providerOf(spelling: string): Provider | undefined {
  const name = keyOf(spelling);
  return PROVIDERS.find((provider) => provider === name) ?? aliasOf(name);
}

/**
 * Makes a catalog searchable.
 *
 * @throws RangeError for a price unit that can't be calculated with
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
      ofProvider.set(keyOf(entry.service), service);
    }
    service.add({ entry, form, exactPrice: exactly(entry.priceUsd) });
  }
  return {
    findService: (provider, service) => services.get(provider)?.get(keyOf(service)),
    servicesOf: (provider) => [...services.get(provider)!.values()],
  };
}

/** What two names are compared by. */
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

/** An entry and where its price comes from: a row of a catalog file. */
export interface CatalogRow extends CatalogEntry {
  /** Where the price was read; empty where an operator gave none. */
  readonly source: string;
  /** `2026`, `2026-07` or `2026-07-20`; `undated`; or empty. */
  readonly sourceDate: string;
  /** How the price was made of what the source says. */
  readonly note: string;
  /** A: a line of a named public repository or an official page. B: a named third party. C: less. Or empty. */
  readonly grade: string;
}

/** What callers see of a row. */
export function entryOf({ source: _s, sourceDate: _d, note: _n, grade: _g, ...entry }: CatalogRow): CatalogEntry {
  return entry;
}

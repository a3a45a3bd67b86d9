import type { Provider } from './catalog';

/** An entry as `service / instance`; or several that make one whole, each with how many of its units one needs. */
export type WrittenOffer = string | Readonly<Record<string, number>>;

/**
 * Entries that may be compared, because each is the whole price of the same thing, or the same part of it with the other
 * parts priced by the same measure. Every entry of the built-in catalog is in one group.
 */
export interface ComparableGroup extends Readonly<Partial<Record<Provider, readonly WrittenOffer[]>>> {
  /** What all of them are: the reason why they may be compared. */
  readonly what: string;
  /** Stated by the `specs` of every entry: as many vCPUs, and memory within `MEMORY_BOUND`. */
  readonly size?: { readonly vcpus: number; readonly memoryGib: number };
  /** Fees that the entries need beside them, which are of one group too. */
  readonly needs?: Readonly<Partial<Record<Provider, string>>>;
  /** Why a provider that is not here has nothing comparable; continues `No equivalent: `. */
  readonly none?: string;
}

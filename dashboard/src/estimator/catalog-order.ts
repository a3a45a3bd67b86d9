import type { CatalogEntry } from '../../../src/domain/catalog';

/** How large a machine is, as its specs say. */
export interface MachineSize {
  readonly vcpus: number | undefined;
  readonly memoryGib: number | undefined;
}

const SIZE_WORDS = ['nano', 'micro', 'small', 'medium', 'large', 'xlarge', 'highmem'];
/** Where gigabytes without vCPUs are memory, and no disk. */
const WITH_MEMORY = new Set(['compute', 'database', 'cache']);

/** The size of a machine that is billed by the hour; undefined for anything else. */
export function sizeOf({ category, specs, priceUnit }: CatalogEntry): MachineSize | undefined {
  if (priceUnit !== 'per hour') return undefined;
  const vcpus = numberIn(/([\d.]+) (?:shared )?vCPU\b/, specs);
  if (vcpus === undefined && !WITH_MEMORY.has(category)) return undefined;
  const memoryGib = numberIn(/(?<!about )\b([\d.]+) Gi?B\b/, specs);
  return vcpus === undefined && memoryGib === undefined ? undefined : { vcpus, memoryGib };
}

/**
 * The entries of a service as a person looks for them: machines first, by family and from small to large (t3.nano,
 * t3.micro, t3.small); the family with the smallest machine first. Other entries stay in catalog order, except that
 * names which differ only in a number are ordered by it: P4, P10.
 */
export function bySize(entries: readonly CatalogEntry[]): CatalogEntry[] {
  const ranked = entries.map((entry) => ({ entry, size: sizeOf(entry), family: familyOf(entry.instance) }));
  const machines = ranked.filter(({ size }) => size !== undefined);
  const others = ranked.filter(({ size }) => size === undefined);
  const inFamilies = groupsOf(machines, ({ family }) => family)
    .map((family) => family.toSorted(compareMachines))
    .toSorted(([a], [b]) => compareSizes(a!.size, b!.size));
  const inSeries = groupsOf(others, ({ entry }) => entry.instance.replaceAll(/\d+/g, '#')).map((series) =>
    series.toSorted((a, b) => natural(a.entry, b.entry)),
  );
  return [...inFamilies, ...inSeries].flat().map(({ entry }) => entry);
}

/** From small to large: vCPUs, then memory. What has no such number comes first. */
export function compareSizes(a: MachineSize | undefined, b: MachineSize | undefined): number {
  return (a?.vcpus ?? 0) - (b?.vcpus ?? 0) || (a?.memoryGib ?? 0) - (b?.memoryGib ?? 0);
}

/** The values by a key, in the order in which each key comes first. */
export function groupsOf<Value>(values: readonly Value[], keyOf: (value: Value) => string): Value[][] {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return [...groups.values()];
}

interface Ranked {
  readonly entry: CatalogEntry;
  readonly size: MachineSize | undefined;
}

function compareMachines(a: Ranked, b: Ranked): number {
  const sizes = compareSizes(a.size, b.size);
  return sizes || rankOf(a.entry.instance) - rankOf(b.entry.instance) || natural(a.entry, b.entry);
}

function natural(a: CatalogEntry, b: CatalogEntry): number {
  return a.instance.localeCompare(b.instance, 'en', { numeric: true });
}

/** t3.nano → 0, t3.micro → 1. */
function rankOf(instance: string): number {
  return SIZE_WORDS.findIndex((word) => new RegExp(String.raw`[.-]\d*${word}\b`).test(instance));
}

/** What the sizes of a machine have in common: `db.t3. Multi-AZ`, `Ds_v5`, `e2`. */
function familyOf(instance: string): string {
  const dotted = /^(.*\.)[^. ]+(.*)$/.exec(instance);
  if (dotted) return `${dotted[1]}${dotted[2]}`;
  const dashed = /^([a-z]\w*)-/.exec(instance);
  if (dashed) return dashed[1]!;
  return instance.replace(/(?<=[A-Z])\d+/, '');
}

function numberIn(pattern: RegExp, text: string): number | undefined {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

import {
  MAX_BODIES,
  MAX_PATHS,
  MAX_TYPES,
  type BodyPair,
  type CheckedPage,
  type Counts,
  type MatchedPage,
  type RefusedPath,
  type RehearsedChange,
} from './rehearsal-contract';

/** What a change does to the events that were read. */
export interface RehearsalSums {
  /** Null for a schema. */
  readonly matches: (Counts & { readonly types: (Counts & { readonly type: string })[] }) | null;
  /** Null for a change of an endpoint. */
  readonly schema: {
    readonly checked: number;
    readonly failed: number;
    readonly paths: RefusedPath[];
  } | null;
  readonly bodies: BodyPair[];
  /** The busiest second after the change, or before it if nothing matches any more; null if nothing ever matched. */
  readonly peak: (Counts & { readonly at: string; readonly max_per_second: number | null }) | null;
}

/**
 * Sums up what a change does to each page.
 *
 * @returns at most 50 types, the largest changes first, and those that change alike by name; at most 10 paths, those
 *   that refuse the most events first
 */
export function createSums(change: RehearsedChange): {
  add(page: MatchedPage | CheckedPage): void;
  sums(): RehearsalSums;
} {
  const matched = createMatchedSums();
  const checked = createCheckedSums();
  const sums = (): RehearsalSums =>
    change.kind === 'endpoint'
      ? { ...matched.sums(change.after.options.max_per_second ?? null), schema: null }
      : { matches: null, schema: checked.sums(), bodies: [], peak: null };
  return { add: (page) => (page.kind === 'endpoint' ? matched.add(page) : checked.add(page)), sums };
}

function createMatchedSums() {
  const byType = new Map<string, Counts>();
  const bySecond = new Map<number, Counts>();
  const changed: BodyPair[] = [];
  const moved: BodyPair[] = [];
  const same: BodyPair[] = [];
  return {
    add({ types, seconds, bodies }: MatchedPage): void {
      addCounts(byType, types);
      addCounts(bySecond, seconds);
      addFirst(changed, bodies.changed);
      addFirst(moved, bodies.moved);
      addFirst(same, bodies.same);
    },
    sums(maxPerSecond: number | null): Omit<RehearsalSums, 'schema'> {
      const types = [...byType].map(([type, counts]) => ({ type, ...counts })).toSorted(byChange);
      const all = types.reduce((sum, counts) => plus(sum, counts), NONE);
      return {
        matches: { ...all, types: types.slice(0, MAX_TYPES) },
        bodies: [...changed, ...moved, ...same].slice(0, MAX_BODIES),
        peak: peakOf(bySecond, maxPerSecond),
      };
    },
  };
}

function createCheckedSums() {
  const byPath = new Map<string, RefusedPath>();
  let [checked, failed] = [0, 0];
  return {
    add(page: CheckedPage): void {
      checked += page.checked;
      failed += page.failed;
      for (const refused of page.paths) {
        const key = `${refused.path}\n${refused.message}`;
        const known = byPath.get(key);
        byPath.set(key, known ? { ...known, count: known.count + refused.count } : refused);
      }
    },
    sums() {
      const paths = [...byPath.values()].toSorted((one, other) => other.count - one.count);
      return { checked, failed, paths: paths.slice(0, MAX_PATHS) };
    },
  };
}

const NONE: Counts = { before: 0, after: 0 };

function plus(one: Counts, other: Counts): Counts {
  return { before: one.before + other.before, after: one.after + other.after };
}

function addFirst(all: BodyPair[], some: readonly BodyPair[]): void {
  all.push(...some.slice(0, MAX_BODIES - all.length));
}

function addCounts<Key>(all: Map<Key, Counts>, some: readonly (readonly [Key, Counts])[]): void {
  for (const [key, counts] of some) all.set(key, plus(all.get(key) ?? NONE, counts));
}

function byChange(one: Counts & { type: string }, other: Counts & { type: string }): number {
  const difference = Math.abs(other.after - other.before) - Math.abs(one.after - one.before);
  return difference || (one.type < other.type ? -1 : 1);
}

function peakOf(bySecond: ReadonlyMap<number, Counts>, maxPerSecond: number | null): RehearsalSums['peak'] {
  const most = { before: 0, after: 0 };
  const at = { before: 0, after: 0 };
  for (const [second, counts] of bySecond) {
    for (const when of ['before', 'after'] as const) {
      if (counts[when] <= most[when]) continue;
      most[when] = counts[when];
      at[when] = second;
    }
  }
  if (bySecond.size === 0) return null;
  const second = most.after > 0 ? at.after : at.before;
  return { ...most, at: new Date(second * 1_000).toISOString(), max_per_second: maxPerSecond };
}

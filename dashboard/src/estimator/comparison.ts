import {
  PROVIDERS,
  type CatalogEntry,
  type CatalogIndex,
  type PricedEntry,
  type Provider,
} from '../../../src/domain/catalog';
import type { EstimateItem } from '../../../src/domain/estimate-item';
import { priceOf, sumOf, type PricedLine } from './shopping-list';

/** What a provider has in place of a line. */
export interface Counterpart {
  readonly provider: Provider;
  /** The entries to choose from, the closest first; the line's own provider has only the line's own entry. */
  readonly candidates: readonly PricedEntry[];
  readonly chosen: PricedEntry | undefined;
  /** The line's usage at the price of the chosen entry. */
  readonly item: EstimateItem | undefined;
  readonly monthlyUsd: number | undefined;
}

/** A line, and what each provider has in its place. */
export interface ComparedLine {
  readonly line: PricedLine;
  readonly counterparts: readonly Counterpart[];
  /** Whether every provider has something: only such lines are in the totals. */
  readonly isComplete: boolean;
}

/** The shopping list at each provider. */
export interface Comparison {
  readonly lines: readonly ComparedLine[];
  /** What the complete lines cost a month at each provider. */
  readonly totals: Readonly<Record<Provider, number>>;
}

/** The visitor's own choices, by line and provider: an entry's key, or `NOTHING`. */
export type Choices = Readonly<Record<string, string>>;

/** The choice of somebody who finds none of the candidates comparable. */
export const NOTHING = 'nothing';

/** Names a choice. */
export function choiceOf(lineId: number, provider: Provider): string {
  return `${lineId}/${provider}`;
}

/** Names an entry among the candidates of a provider. */
export function keyOfEntry({ service, instance }: CatalogEntry): string {
  return `${service} / ${instance}`;
}

/**
 * Puts every line that can be priced beside the entries of the other providers in the same category, priced by the same
 * kind of unit: hours, GB a month, blocks of as many calls. The same quantity means the same there.
 */
export function compareProviders(index: CatalogIndex, lines: readonly PricedLine[], choices: Choices): Comparison {
  const compared = lines
    .filter(({ monthlyUsd }) => monthlyUsd !== undefined)
    .map((line) => {
      const counterparts = PROVIDERS.map((provider) => counterpartOf(index, line, provider, choices));
      return { line, counterparts, isComplete: counterparts.every(({ chosen }) => chosen !== undefined) };
    });
  const complete = compared.filter(({ isComplete }) => isComplete);
  const totalOf = (provider: Provider): number =>
    sumOf(
      index,
      complete.flatMap(({ counterparts }) => counterparts.find((one) => one.provider === provider)?.item ?? []),
    );
  return { lines: compared, totals: { aws: totalOf('aws'), azure: totalOf('azure'), gcp: totalOf('gcp') } };
}

function counterpartOf(index: CatalogIndex, line: PricedLine, provider: Provider, choices: Choices): Counterpart {
  const isOwn = provider === line.line.provider;
  const candidates = isOwn ? [line.priced] : candidatesFor(index, line.priced, provider);
  const choice = choices[choiceOf(line.line.id, provider)];
  const chosen =
    choice === undefined
      ? candidates.find(({ entry }) => isOwn || isAlike(line.priced.entry, entry))
      : candidates.find(({ entry }) => keyOfEntry(entry) === choice);
  if (!chosen) return { provider, candidates, chosen, item: undefined, monthlyUsd: undefined };
  const { service, instance } = chosen.entry;
  const item = { ...line.item, provider, service, instance };
  return { provider, candidates, chosen, item, monthlyUsd: priceOf(index, item) };
}

/** The entries of a provider that a line may be compared with, the closest first. */
function candidatesFor(index: CatalogIndex, { entry, form }: PricedEntry, provider: Provider): readonly PricedEntry[] {
  const unit = comparableUnit(entry.priceUnit);
  return index
    .servicesOf(provider)
    .flatMap(({ entries }) => entries)
    .filter((other) => other.entry.category === entry.category && comparableUnit(other.entry.priceUnit) === unit)
    .filter((other) => other.form.usage === form.usage && other.form.blockSize === form.blockSize)
    .map((other) => ({ other, distance: distanceBetween(entry, other.entry) }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ other }) => other);
}

/** Each provider has its own word for a call. */
function comparableUnit(priceUnit: string): string {
  return priceUnit.replace(/\b(?:requests|operations|calls|invocations|transactions)$/, 'calls');
}

/** What a size that only one of two offers has counts as, in doublings. */
const UNKNOWN_SIZE_DISTANCE = 1;

/** How far two offers are apart: doublings of vCPUs and memory, and the share of words that only the first one has. */
function distanceBetween(one: CatalogEntry, other: CatalogEntry): number {
  const words = wordsOf(one);
  const strange = words.size === 0 ? 0 : 1 - commonWords(one, other) / words.size;
  return sizeDistance(one, other, VCPUS) + sizeDistance(one, other, MEMORY) + strange;
}

/** Whether one may replace the other by default: both state the same kind of size, or their texts share a word. */
function isAlike(one: CatalogEntry, other: CatalogEntry): boolean {
  const haveSizes = [VCPUS, MEMORY].some((pattern) => sizeOf(one, pattern) > 0 && sizeOf(other, pattern) > 0);
  return haveSizes || commonWords(one, other) > 0;
}

const VCPUS = /([\d.]+) (?:shared )?vCPUs?\b/;
const MEMORY = /([\d.]+) Gi?B\b/;

function sizeDistance(one: CatalogEntry, other: CatalogEntry, pattern: RegExp): number {
  const [a, b] = [sizeOf(one, pattern), sizeOf(other, pattern)];
  if (a === 0 && b === 0) return 0;
  return a > 0 && b > 0 ? Math.abs(Math.log2(a / b)) : UNKNOWN_SIZE_DISTANCE;
}

/** 0 when it says none. */
function sizeOf({ specs }: CatalogEntry, pattern: RegExp): number {
  return Number(pattern.exec(specs)?.[1] ?? 0);
}

function commonWords(one: CatalogEntry, other: CatalogEntry): number {
  const words = wordsOf(other);
  return [...wordsOf(one)].filter((word) => words.has(word)).length;
}

/** Words of price lists, which say nothing of what is sold. */
const EMPTY_WORDS = new Set(
  'after and are billed by first for free from hour million month over per separately standard the under up with'.split(
    ' ',
  ),
);

function wordsOf({ service, instance, specs, priceUnit }: CatalogEntry): ReadonlySet<string> {
  const words = `${service} ${instance} ${specs} ${priceUnit}`.toLowerCase().match(/[a-z]{3,}/g) ?? [];
  // One queue, two queues.
  return new Set(words.filter((word) => !EMPTY_WORDS.has(word)).map((word) => word.replace(/s$/, '')));
}

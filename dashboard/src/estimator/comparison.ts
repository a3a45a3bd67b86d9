import { PROVIDERS, type CatalogIndex, type PricedEntry, type Provider } from '../../../src/domain/catalog';
import { comparableWith, type Offer } from '../../../src/domain/comparable-offers';
import { sumOf } from '../../../src/domain/cost-estimate';
import type { Discounts } from '../../../src/domain/discounts';
import type { EstimateItem } from '../../../src/domain/estimate-item';
import type { PricedLine } from './shopping-list';

/** What a provider has in place of a line. */
export interface Counterpart {
  readonly provider: Provider;
  /** What the line may be compared with, the usual one first; the line's own provider has only the line's own entry. */
  readonly candidates: readonly Offer[];
  readonly chosen: Offer | undefined;
  /** What the line and the candidates are, or why there are none. */
  readonly reason: string;
  /** The line's usage at the chosen offer: an item for each of its parts. */
  readonly items: readonly { readonly item: EstimateItem; readonly priced: PricedEntry }[];
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

/** The visitor's own choices, by line and provider: an offer's key, or `NOTHING`. */
export type Choices = Readonly<Record<string, string>>;

/** The choice when none of the candidates is comparable. */
export const NOTHING = 'nothing';

/** Names a choice. */
export function choiceOf(lineId: number, provider: Provider): string {
  return `${lineId}/${provider}`;
}

/** Names an offer among the candidates of a provider, for people too. */
export function keyOfOffer({ parts }: Offer): string {
  return parts
    .map(({ priced: { entry }, quantity }) => {
      const name = `${entry.service} / ${entry.instance}`;
      return quantity === 1 ? name : `${quantity} × ${name}`;
    })
    .join(' + ');
}

/**
 * Puts every line that can be priced beside what the other providers have in its place, by the catalog's judgement of
 * what may be compared (src/domain/comparable-offers.ts). Each provider's discounts apply to its own prices.
 */
export function compareProviders(
  index: CatalogIndex,
  lines: readonly PricedLine[],
  choices: Choices,
  discounts: Discounts = [],
): Comparison {
  const compared = lines
    .filter(({ monthlyUsd }) => monthlyUsd !== undefined)
    .map((line) => {
      const counterparts = PROVIDERS.map((provider) => counterpartOf(index, line, provider, { choices, discounts }));
      return { line, counterparts, isComplete: counterparts.every(({ chosen }) => chosen !== undefined) };
    });
  const complete = compared.filter(({ isComplete }) => isComplete);
  const totalOf = (provider: Provider): number =>
    sumOf(
      complete.flatMap(({ counterparts }) => counterparts.find((one) => one.provider === provider)?.items ?? []),
      discounts,
    );
  return { lines: compared, totals: { aws: totalOf('aws'), azure: totalOf('azure'), gcp: totalOf('gcp') } };
}

function counterpartOf(
  index: CatalogIndex,
  line: PricedLine,
  provider: Provider,
  { choices, discounts }: { readonly choices: Choices; readonly discounts: Discounts },
): Counterpart {
  const { offers: candidates, reason } =
    provider === line.line.provider
      ? { offers: [{ parts: [{ priced: line.priced, quantity: 1 }] }], reason: '' }
      : comparableWith(index, line.priced, provider);
  const choice = choices[choiceOf(line.line.id, provider)];
  const chosen = choice === undefined ? candidates[0] : candidates.find((offer) => keyOfOffer(offer) === choice);
  const items = (chosen?.parts ?? []).map(({ priced, quantity }) => {
    const { service, instance } = priced.entry;
    return { priced, item: { ...line.item, provider, service, instance, quantity: line.item.quantity * quantity } };
  });
  return { provider, candidates, chosen, reason, items, monthlyUsd: chosen && sumOf(items, discounts) };
}

import { CATEGORIES, providerOf } from '../../../src/domain/catalog';
import { MAX_ITEMS } from '../../../src/domain/cost-estimate';
import { MAX_DISCOUNTS, type DiscountInput } from './list-discounts';
import type { ListInput } from './list-state';
import type { LineInput } from './shopping-list';

/** The first part of every shared list, so that a later form can be told from this one. */
const VERSION = 'v1';
/** A field keeps what was typed, right or wrong, up to this length in a link. */
const MAX_TYPED = 40;

/** The first part of a discount, where a line has its provider. */
const DISCOUNT = 'discount';

/** What a link holds: what can be read of it, and how many lines and discounts can't. */
export interface SharedList extends ListInput {
  readonly unreadable: number;
}

/**
 * Writes a list for the part of an address behind `#`, which browsers never send:
 * `v1&discount/aws/compute/20&aws/EC2/t3.medium/2/730&gcp/…`. Empty for an empty list.
 */
export function encodeList({ lines, discounts }: ListInput): string {
  const texts = [
    ...discounts.map(({ provider, category, percent }) => [DISCOUNT, provider, category, percent]),
    ...lines.map(({ provider, service, instance, quantity, usage }) => [provider, service, instance, quantity, usage]),
  ].map((fields) => fields.map(encoded).join('/'));
  return texts.length === 0 ? '' : [VERSION, ...texts].join('&');
}

/** Reads what `encodeList` wrote; of anything else, as much as can be understood. Never throws. */
export function decodeList(hash: string): SharedList {
  const [version, ...texts] = hash.replace(/^#/, '').split('&');
  if (version !== VERSION) return { lines: [], discounts: [], unreadable: version === '' ? 0 : 1 };
  const isDiscount = (text: string): boolean => text.startsWith(`${DISCOUNT}/`);
  const discounts = texts
    .filter(isDiscount)
    .flatMap((text) => decodeDiscount(text) ?? [])
    .slice(0, MAX_DISCOUNTS);
  const lines = texts
    .filter((text) => !isDiscount(text))
    .slice(0, MAX_ITEMS)
    .flatMap((text) => decodeLine(text) ?? []);
  return { lines, discounts, unreadable: texts.length - lines.length - discounts.length };
}

function decodeDiscount(text: string): DiscountInput | undefined {
  const fields = text.split('/').map(decode);
  const [, spelling = '', name = '', percent] = fields;
  const provider = spelling === 'all' ? spelling : providerOf(spelling);
  const category = name === 'all' ? name : CATEGORIES.find((one) => one === name);
  if (fields.length !== 4 || !provider || !category) return undefined;
  return { provider, category, percent: typedText(percent) };
}

function decodeLine(text: string): LineInput | undefined {
  const fields = text.split('/').map(decode);
  const [spelling, service, instance, quantity, usage] = fields;
  const provider = spelling === undefined ? undefined : providerOf(spelling);
  if (fields.length !== 5 || !provider || !service || !instance) return undefined;
  return { provider, service, instance, quantity: typedText(quantity), usage: typedText(usage) };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The text of a number field, which says what is wrong with it; empty if it is too long. */
function typedText(text: string | undefined): string {
  return text !== undefined && text.length <= MAX_TYPED ? text : '';
}

/** As in `encodeURIComponent`, for any text: half of a pair of characters has no code, and becomes a question mark. */
function encoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\u{FFFD}'));
}

import { providerOf } from '../../../src/domain/catalog';
import { MAX_ITEMS } from '../../../src/domain/cost-estimate';
import type { LineInput } from './shopping-list';

/** The first part of every shared list, so that a later form can be told from this one. */
const VERSION = 'v1';
/** A field keeps what was typed, right or wrong, but nobody types longer numbers. */
const MAX_TYPED = 40;

/** What a link holds: the lines that can be read, and how many can't. */
export interface SharedList {
  readonly lines: readonly LineInput[];
  readonly unreadable: number;
}

/**
 * Writes a list for the part of an address behind `#`, which browsers never send:
 * `v1&aws/EC2/t3.medium/2/730&gcp/…`. Empty for an empty list.
 */
export function encodeList(lines: readonly LineInput[]): string {
  if (lines.length === 0) return '';
  const texts = lines.map(({ provider, service, instance, quantity, usage }) =>
    [provider, service, instance, quantity, usage].map(encoded).join('/'),
  );
  return [VERSION, ...texts].join('&');
}

/** Reads what `encodeList` wrote; of anything else, as much as can be understood. Never throws. */
export function decodeList(hash: string): SharedList {
  const [version, ...texts] = hash.replace(/^#/, '').split('&');
  if (version !== VERSION) return { lines: [], unreadable: version === '' ? 0 : 1 };
  const lines = texts.slice(0, MAX_ITEMS).flatMap((text) => decodeLine(text) ?? []);
  return { lines, unreadable: texts.length - lines.length };
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

/** What stood in a number field, which says what is wrong with it; empty if nobody typed it. */
function typedText(text: string | undefined): string {
  return text !== undefined && text.length <= MAX_TYPED ? text : '';
}

/** As in `encodeURIComponent`, for any text: half of a pair of characters has no code, and becomes a question mark. */
function encoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\u{FFFD}'));
}

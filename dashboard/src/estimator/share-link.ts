import { providerOf } from '../../../src/domain/catalog';
import { MAX_ITEMS } from '../../../src/domain/cost-estimate';
import type { LineInput } from './shopping-list';

/** The first part of every shared list, so that a later form can be told from this one. */
const VERSION = 'v1';
/** No user types longer numbers. */
const MAX_NUMBER_LENGTH = 24;

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
    [provider, service, instance, quantity, usage].map(encodeURIComponent).join('/'),
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
  return { provider, service, instance, quantity: numberText(quantity), usage: numberText(usage) };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** What the number fields can show; they are empty otherwise, and say what they need. */
function numberText(text: string | undefined): string {
  return text !== undefined && text.length <= MAX_NUMBER_LENGTH && /^\d*\.?\d*$/.test(text) ? text : '';
}

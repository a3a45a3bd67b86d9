import { isUtf8 } from 'node:buffer';

/** A text, and where each of its characters begins and ends in the text that was read. */
export interface View {
  readonly text: string;
  /** The same in lower case. */
  readonly lower: string;
  /** Absent if it is the text that was read. */
  readonly places?: Places | undefined;
}

interface Places {
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** A text as its own view. */
export function viewOf(text: string): View {
  return { text, lower: lowered(text) };
}

/** Where a part of a view, not empty, begins and ends in the text that was read. */
export function placeOf({ places }: View, start: number, end: number): [number, number] {
  return places ? [places.from[start]!, places.to[end - 1]!] : [start, end];
}

/** Of one escaped character: URLs, JSON and JavaScript, HTML. Bytes above 127 of URLs belong together as UTF-8. */
const ESCAPE = new RegExp(
  [
    String.raw`(?<bytes>(?:%[89a-f][0-9a-f])+)`,
    String.raw`%(?<byte>[0-7][0-9a-f])`,
    String.raw`%u(?<percent>[0-9a-f]{4})`,
    String.raw`\\u\{?(?<unicode>[0-9a-f]{4,6})\}?`,
    String.raw`\\x(?<hex>[0-9a-f]{2})`,
    String.raw`\\(?<octal>[0-3][0-7]{2})`,
    String.raw`\\(?<letter>[bfnrt"'\\/])`,
    String.raw`&#x0*(?<hexadecimal>[0-9a-f]{1,6});?`,
    String.raw`&#0*(?<decimal>[0-9]{1,7});?`,
    String.raw`&(?<name>[a-z]{2,6});`,
    String.raw`(?<plus>\+)`,
  ].join('|'),
  'gi',
);

const LETTERS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** The names of HTML for ASCII characters that may stand in a secret. */
const NAMES: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  ast: '*',
  bsol: '\\',
  colon: ':',
  comma: ',',
  commat: '@',
  dollar: '$',
  equals: '=',
  excl: '!',
  grave: '`',
  gt: '>',
  hat: '^',
  lbrace: '{',
  lbrack: '[',
  lcub: '{',
  lowbar: '_',
  lpar: '(',
  lsqb: '[',
  lt: '<',
  num: '#',
  percnt: '%',
  period: '.',
  plus: '+',
  quest: '?',
  quot: '"',
  rbrace: '}',
  rbrack: ']',
  rcub: '}',
  rpar: ')',
  rsqb: ']',
  semi: ';',
  sol: '/',
  verbar: '|',
  vert: '|',
};

/** What every escape begins with. */
const MAY_BE_ESCAPED = /[%\\&+]/;

/**
 * Undoes one layer of escapes, whichever they are. A `+` becomes a space, as in forms.
 *
 * @returns undefined if nothing is escaped
 */
export function unescapeOnce(view: View): View | undefined {
  const source = view.text;
  if (!MAY_BE_ESCAPED.test(source)) return undefined;
  let text = '';
  const from: number[] = [];
  const to: number[] = [];
  let at = 0;
  const note = (start: number, end: number): void => {
    const [first, last] = placeOf(view, start, end);
    from.push(first);
    to.push(last);
  };
  const copy = (end: number): void => {
    text += source.slice(at, end);
    for (; at < end; at += 1) note(at, at + 1);
  };
  for (const match of source.matchAll(ESCAPE)) {
    const meant = characterOf(match.groups!);
    if (meant === undefined) continue;
    copy(match.index);
    at = match.index + match[0].length;
    text += meant;
    for (let unit = 0; unit < meant.length; unit += 1) note(match.index, at);
  }
  if (at === 0) return undefined;
  copy(source.length);
  return { text, lower: lowered(text), places: { from, to } };
}

function characterOf(groups: Readonly<Record<string, string | undefined>>): string | undefined {
  const { bytes, byte, percent, unicode, hex, octal, letter, hexadecimal, decimal, name, plus } = groups;
  if (plus !== undefined) return ' ';
  if (bytes !== undefined) return Buffer.from(bytes.replaceAll('%', ''), 'hex').toString();
  if (letter !== undefined) return LETTERS[letter] ?? letter;
  if (name !== undefined) return NAMES[name.toLowerCase()];
  const digits = byte ?? percent ?? unicode ?? hex ?? hexadecimal;
  const code =
    digits === undefined ? parseInt((octal ?? decimal)!, octal === undefined ? 10 : 8) : parseInt(digits, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** Lower case without a change of length. */
function lowered(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Digits of base64 or base64url. Those who break lines do it after 64 or 76 digits (RFC 7468, RFC 2045). */
const BASE64_RUN = /(?:[A-Za-z0-9+/_-]{60,}\r?\n)*[A-Za-z0-9+/_-]+/g;
const HEX_RUN = /[0-9a-f]{2}(?:[ :,-]{0,2}(?:0x)?[0-9a-f]{2})*/g;
/** Bytes as numbers: as Node writes a buffer in JSON, or Go a slice of bytes. */
const NUMBERS_RUN = /\d{1,3}(?:[\s,;]{1,8}\d{1,3})+/g;

/** A part of a text that may be encoded, and what it may say. */
interface DecodedRun {
  readonly span: readonly [number, number];
  readonly decoded: readonly string[];
}

/**
 * The parts of a text that may be base64, base64url, hexadecimal digits or numbers of bytes, decoded.
 *
 * @param leastBytes the least bytes that are worth decoding
 * @param shifts how many digits of base64 to skip, because they may not belong to it
 */
export function decodedRuns(view: View, leastBytes: number, shifts: readonly number[]): DecodedRun[] {
  const runs: DecodedRun[] = [];
  const find = (source: string, run: RegExp, leastLength: number, decode: (run: string) => Buffer[]): void => {
    if (source.length < leastLength) return;
    for (const { 0: found, index } of source.matchAll(run)) {
      if (found.length < leastLength) continue;
      runs.push({ span: placeOf(view, index, index + found.length), decoded: decode(found).flatMap(readings) });
    }
  };
  find(view.text, BASE64_RUN, Math.ceil((leastBytes * 4) / 3), (run) => {
    const digits = run.replace(/\s/g, '');
    return shifts.map((shift) => Buffer.from(digits.slice(shift), 'base64'));
  });
  find(view.lower, HEX_RUN, leastBytes * 2, (run) => {
    const digits = run.replace(/0x|[^0-9a-f]/g, '');
    return [Buffer.from(digits, 'hex'), Buffer.from(digits.slice(1), 'hex')];
  });
  find(view.text, NUMBERS_RUN, leastBytes * 2, (run) => [Buffer.from(run.split(/\D+/).map(Number))]);
  return runs;
}

/** Bytes as texts: as UTF-8, and byte by byte if they are something else. */
function readings(bytes: Buffer): string[] {
  return isUtf8(bytes) ? [bytes.toString()] : [bytes.toString('latin1')];
}

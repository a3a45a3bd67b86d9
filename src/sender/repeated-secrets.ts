import { HIDDEN } from '../domain/sent-request';
import { decodedRuns, placeOf, unescapeOnce, viewOf, type View } from './decode-text';

/** Shorter values stand in ordinary texts by chance: they are not searched for. */
const MIN_CHARACTERS = 4;

/**
 * How often escapes are undone, and base64 or hexadecimal digits decoded, one inside the other. The limits bound what a
 * hostile answer can cost.
 */
const MAX_ESCAPES = 3;
const MAX_DECODINGS = 2;

/** A receiver that cuts or masks a secret shows its beginning: half of it is hidden too, unless that is a short word. */
const MIN_PREFIX_LENGTH = 8;

/** Headers whose values choose a format or a cache, and are no secrets (RFC 9110, 12.5; RFC 9111, 5.2; RFC 7240). */
const OPEN_HEADERS = new Set(['accept', 'accept-charset', 'accept-language', 'cache-control', 'pragma', 'prefer']);

/** A part of a text: from the first position up to the second, which is not part of it. */
type Span = readonly [number, number];

/** What a request carries that only its receiver may see. */
export interface RequestSecrets {
  /** The headers of the endpoint's options, credentials included. */
  readonly headers: Readonly<Record<string, string>>;
  /** The endpoint's signing secrets. */
  readonly signing: readonly string[];
}

/**
 * Makes a function that replaces secrets in the text of an answer by `[hidden]`: many receivers repeat a request in
 * their error pages. It finds the values of headers, passwords, tokens and signing secrets: as they are, without regard
 * to case, escaped for JSON, HTML or URLs, in base64, base64url, hexadecimal digits and numbers of bytes, and in several
 * of these at once. It also finds half of a secret, from its beginning, and less at the end of a text, because answers
 * are cut.
 */
export function createSecretHider(secrets: RequestSecrets): (text: string) => string {
  const wanted = [...new Set(partsOf(secrets).flatMap(spellingsOf))].filter((part) => part.length >= MIN_CHARACTERS);
  if (wanted.length === 0) return (text) => text;
  const shortest = Math.min(...wanted.map((part) => part.length));
  return (text) => {
    let shown = '';
    let at = 0;
    for (const [from, to] of merged(findSecrets(text, { wanted, shortest }))) {
      shown += text.slice(at, from) + HIDDEN;
      at = to;
    }
    return shown + text.slice(at);
  };
}

interface Wanted {
  readonly wanted: readonly string[];
  readonly shortest: number;
}

function findSecrets(text: string, sought: Wanted, decodings = 0): Span[] {
  const found: Span[] = [];
  for (const view of unescapings(text)) {
    found.push(...findIn(view, sought.wanted));
    if (decodings === MAX_DECODINGS) continue;
    // What stands before an encoded text may look like a part of it. Inside of one, quotes end it.
    const shifts = decodings === 0 ? [0, 1, 2, 3] : [0];
    for (const { span, decoded } of decodedRuns(view, sought.shortest, shifts)) {
      if (decoded.some((inner) => isFoundIn(inner, sought, decodings + 1))) found.push(span);
    }
  }
  return found;
}

/** Whether a decoded text has a secret. Most are no texts at all, because the run was an ordinary word. */
function isFoundIn(text: string, sought: Wanted, decodings: number): boolean {
  return NO_TEXT.test(text)
    ? findIn(viewOf(text), sought.wanted).length > 0
    : findSecrets(text, sought, decodings).length > 0;
}

const NO_TEXT = /[\0-\x08\x0e-\x1f\x7f-\x9f]/;

/** A text as it is, and with its escapes undone, once and several times. */
function unescapings(text: string): View[] {
  const views = [viewOf(text)];
  while (views.length <= MAX_ESCAPES) {
    const next = unescapeOnce(views.at(-1)!);
    if (!next) break;
    views.push(next);
  }
  return views;
}

function findIn(view: View, wanted: readonly string[]): Span[] {
  const found: Span[] = [];
  const text = view.lower;
  const begunEscape = BEGUN_ESCAPE.exec(text.slice(-MAX_ESCAPE_LENGTH));
  for (const part of wanted) {
    const shown = part.slice(0, Math.max(Math.ceil(part.length / 2), Math.min(part.length, MIN_PREFIX_LENGTH)));
    for (let at = text.indexOf(shown); at >= 0; at = text.indexOf(shown, at + shown.length)) {
      let end = shown.length;
      while (end < part.length && text[at + end] === part[end]) end += 1;
      found.push(placeOf(view, at, at + end));
    }
    const start =
      startOfCut(text, part) ?? (begunEscape ? startOfCut(text.slice(0, -begunEscape[0].length), part) : undefined);
    if (start !== undefined) found.push(placeOf(view, start, text.length));
  }
  return found;
}

/** An escape that was cut. */
const BEGUN_ESCAPE = /(?:%[0-9a-f]?|\\(?:[ux][0-9a-f]{0,3})?|&[#\w]{0,8})$/;
const MAX_ESCAPE_LENGTH = 9;

/** Where the beginning of a secret starts that the text ends with. */
function startOfCut(text: string, part: string): number | undefined {
  const head = part.slice(0, MIN_CHARACTERS);
  const first = Math.max(0, text.length - part.length + 1);
  for (let at = text.indexOf(head, first); at >= 0; at = text.indexOf(head, at + 1)) {
    if (part.startsWith(text.slice(at))) return at;
  }
  return undefined;
}

/** The secrets of a request and their parts: a receiver may repeat a password without the user's name. */
function partsOf({ headers, signing }: RequestSecrets): string[] {
  return [
    ...Object.entries(headers)
      .filter(([name]) => !OPEN_HEADERS.has(name.toLowerCase()))
      .flatMap(([name, value]) => partsOfValue(name, value)),
    ...signing.flatMap(partsOfSigningSecret),
  ];
}

function partsOfValue(name: string, value: string): string[] {
  // The scheme of credentials is no secret: `Bearer` stands in most answers of 401.
  const credentials = /^[a-z][\w-]*[ \t]+(\S.*)$/is.exec(value)?.[1];
  const whole = name.toLowerCase() === 'authorization' && credentials !== undefined ? [] : [value];
  const parameters = [...value.matchAll(/[\w-]+="?([^\s;,"]+)"?/g)].map((match) => match[1]!);
  return [...whole, ...(credentials === undefined ? [] : [credentials, ...partsOfBasic(credentials)]), ...parameters];
}

/**
 * The password of credentials of `Basic` (RFC 7617), with the user's name if it is too short to be searched for alone.
 */
function partsOfBasic(credentials: string): string[] {
  const pair = Buffer.from(credentials, 'base64').toString();
  const colon = pair.indexOf(':');
  if (colon < 0 || pair.includes('\uFFFD')) return [];
  const password = pair.slice(colon + 1);
  return [password.length < MIN_CHARACTERS ? pair : password];
}

/** With and without its prefix, and the bytes of the key, which receivers may show in another encoding. */
function partsOfSigningSecret(secret: string): string[] {
  const encoded = secret.replace(/^whsec_/, '');
  return [secret, encoded, Buffer.from(encoded, 'base64').toString('latin1')];
}

/**
 * As it is, and unescaped: a secret may itself look escaped. Receivers may leave out the padding. Headers are read as
 * Latin-1, and bodies as UTF-8, whatever the receiver wrote.
 */
function spellingsOf(secret: string): string[] {
  const misread = [Buffer.from(secret).toString('latin1'), secret.replace(/[^\0-\x7f]/g, '\uFFFD')];
  const all = [secret, ...misread].flatMap((text) => [text, text.replace(/=+$/, '')]);
  return [...new Set(all)].flatMap(unescapings).map(({ lower }) => lower);
}

/** Spans in order, those that touch as one. */
function merged(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last && from <= last[1]) result[result.length - 1] = [last[0], Math.max(last[1], to)];
    else result.push([from, to]);
  }
  return result;
}

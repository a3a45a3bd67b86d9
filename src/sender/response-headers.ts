import { HIDDEN } from '../domain/sent-request';
import { CONTROL_CHARACTERS } from './snippet';

/** How many characters of a response's headers are kept: twice as much as of its body. Every attempt stores them. */
export const KEPT_HEADER_CHARACTERS = 2_048;

/** Names of headers that carry credentials. One header too many is hidden rather than one secret stored. */
const SECRET_NAME = /cookie|authorization|authentication-info|token|secret|password|api-?key|session/i;

/**
 * The headers of a response as text, one `Name: value` on each line, in the order and spelling of the receiver. Values
 * that look like credentials are hidden, and so are those of headers that the request had as secrets, because some
 * receivers send back what they got. What is too long is cut.
 *
 * @param raw names and values in turn, as `IncomingMessage.rawHeaders` has them
 * @param secretNames names of the request's headers whose values are secret
 * @param hide hides the secrets of the request wherever they stand (`createSecretHider`)
 */
export function keepHeaders(
  raw: readonly string[],
  secretNames: readonly string[],
  hide: (text: string) => string,
): string {
  const secret = new Set(secretNames.map((name) => name.toLowerCase()));
  const lines: string[] = [];
  let left = KEPT_HEADER_CHARACTERS;
  for (let at = 0; at + 1 < raw.length && left >= 0; at += 2) {
    const name = raw[at]!;
    const isSecret = SECRET_NAME.test(name) || secret.has(name.toLowerCase());
    // What will be cut is not searched: the answer decides how long it is.
    const value = raw[at + 1]!.slice(0, KEPT_HEADER_CHARACTERS);
    lines.push(hide(printable(`${name}: ${isSecret ? HIDDEN : value}`)));
    left -= lines.at(-1)!.length;
  }
  const text = lines.join('\n');
  return text.length <= KEPT_HEADER_CHARACTERS ? text : `${text.slice(0, KEPT_HEADER_CHARACTERS - 1)}…`;
}

/** Not even a line end: an answer that was read leniently may have anything. */
function printable(line: string): string {
  return line.replace(CONTROL_CHARACTERS, '\uFFFD').replaceAll('\n', '\uFFFD');
}

/** Reads what `keepHeaders` wrote. Values of a repeated name are joined by commas (RFC 9110, 5.3). */
export function readHeaders(text: string): Record<string, string> {
  const values = new Map<string, string>();
  for (const line of text === '' ? [] : text.split('\n')) {
    const colon = line.indexOf(': ');
    // The last name may be cut.
    const [name, value] = colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 2)];
    const earlier = values.get(name);
    values.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return Object.fromEntries(values);
}

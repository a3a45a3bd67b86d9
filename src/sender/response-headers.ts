import { HIDDEN } from '../domain/sent-request';
import { CONTROL_CHARACTERS } from './read-response';

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
 */
export function keepHeaders(raw: readonly string[], secretNames: readonly string[]): string {
  const secret = new Set(secretNames.map((name) => name.toLowerCase()));
  const lines: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]!;
    const isSecret = SECRET_NAME.test(name) || secret.has(name.toLowerCase());
    lines.push(`${name}: ${isSecret ? HIDDEN : raw[at + 1]!.replace(CONTROL_CHARACTERS, '\uFFFD')}`);
  }
  const text = lines.join('\n');
  return text.length <= KEPT_HEADER_CHARACTERS ? text : `${text.slice(0, KEPT_HEADER_CHARACTERS - 1)}…`;
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

import { shellQuoted } from '../../../src/domain/shell-quoted';

/** A request, as it was sent. */
interface SentRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Headers that curl writes itself, for its own connection. */
const CURLS_OWN = new Set(['host', 'content-length', 'connection']);

/**
 * A command for a POSIX shell that sends a request once more: the same bytes, the same signature. Values that are hidden
 * stay hidden.
 *
 * `printf` is part of the shell: as an argument of curl, a body of more than 128 KiB would be too long on Linux.
 */
export function curlCommand({ url, headers, body }: SentRequest): string {
  const sent = Object.entries(headers).filter(([name]) => !CURLS_OWN.has(name.toLowerCase()));
  const hasAccept = sent.some(([name]) => name.toLowerCase() === 'accept');
  const options = [
    // curl would read brackets and braces in the URL as a list of URLs.
    `--http1.1 --globoff --url ${shellQuoted(new URL(url).href)}`,
    // A header without a value is one that curl does not add.
    ...(hasAccept ? [] : [`--header 'Accept:'`]),
    ...sent.map(([name, value]) => `--header ${shellQuoted(`${name}: ${value}`)}`),
    '--data-binary @-',
  ];
  return `printf '%s' ${shellQuoted(body)} \\\n  | curl ${options.join(' \\\n    ')}`;
}

/** The longest URL of a destination, in characters: common servers and proxies accept it. */
export const MAX_DESTINATION_URL_LENGTH = 2_048;

/**
 * The result for a URL. `malformed` can't be a destination's URL at all (400); `unusable` parses but can't be used
 * (422).
 */
export type ParsedDestinationUrl =
  | { readonly ok: true; readonly url: URL }
  | {
      readonly ok: false;
      readonly kind: 'malformed' | 'unusable';
      /** Stable, snake_case; listed in docs/errors.md. */
      readonly code: 'invalid_request' | 'unsupported_url_scheme' | 'url_has_credentials' | 'url_has_fragment';
      /** A sentence that the caller can act on. */
      readonly message: string;
    };

/** The host of a destination's URL, with its port unless it is the scheme's default: `example.com:8443`. */
export function hostOf(url: string): string {
  return new URL(url).host;
}

/** The host and port that a URL leads to, in one spelling: a final dot of the name or the scheme changes nothing. */
export function receiverOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname.replace(/\.$/, '')}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

/** Scheme, host and port of an accepted URL: who gets what is sent there, and whether it is encrypted on the way. */
export function originOf(url: string): string {
  return new URL(url).origin;
}

const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;

/** Schemes for which the WHATWG parser silently repairs missing or extra slashes (URL standard, "special scheme"). */
const SPECIAL_SCHEMES = new Set(['http', 'https', 'ftp', 'ws', 'wss']);

/** White space, control characters, backslashes, halves of surrogate pairs: the parser drops or rewrites them. */
const REPAIRED_CHARACTERS = /[\s\p{Cc}\\\p{Surrogate}]/u;

/** Characters that no reader sees, or that turn the order of others: a URL would look like another. */
const INVISIBLE_CHARACTERS = /[\p{Cf}\p{Cn}\p{Co}\p{Default_Ignorable_Code_Point}]/u;

/** DNS names as they are looked up (RFC 1035, 2.3.4), plus the underscore that some real names have. */
const HOST_LABEL = /^[a-z0-9_-]{1,63}$/;
const MAX_HOST_LENGTH = 253;

/**
 * Checks a destination's URL, before its host and port are checked.
 *
 * The raw string is checked first: the WHATWG parser repairs `https:host`, tabs, backslashes and surrounding spaces,
 * and the stored URL must be what the caller meant. Other spellings are accepted; `url.href` is what is requested.
 *
 * @param options.allowHttp accept `http:` as well (`DELIVERY_ALLOW_HTTP`)
 */
export function parseDestinationUrl(raw: string, options: { readonly allowHttp: boolean }): ParsedDestinationUrl {
  if (raw.length > MAX_DESTINATION_URL_LENGTH) {
    return malformed(`The URL is longer than ${MAX_DESTINATION_URL_LENGTH} characters.`);
  }
  if (REPAIRED_CHARACTERS.test(raw)) {
    return malformed(
      'The URL must not contain spaces, line breaks, control characters or backslashes; percent-encode them.',
    );
  }
  const [invisible] = INVISIBLE_CHARACTERS.exec(raw) ?? [];
  if (invisible !== undefined) {
    const codePoint = invisible.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    return malformed(
      `The URL must not contain invisible characters such as U+${codePoint}; percent-encode them, or leave them out.`,
    );
  }
  const scheme = SCHEME.exec(raw)?.[1]?.toLowerCase();
  if (scheme === undefined) return malformed('The URL must be absolute, for example https://example.com/webhooks.');
  const rest = raw.slice(scheme.length + 1);
  if (SPECIAL_SCHEMES.has(scheme) && !/^\/\/[^/]/.test(rest)) {
    return malformed(`The URL must have a host after "${scheme}://", for example https://example.com/webhooks.`);
  }
  const url = parse(raw);
  if (!url)
    return malformed('The URL is not valid: check its host name and port, for example https://example.com/webhooks.');
  if (scheme !== 'https' && !(scheme === 'http' && options.allowHttp)) {
    return unusable('unsupported_url_scheme', `The URL must begin with https://; ${scheme}: is not supported.`);
  }
  if (!isHostName(url.hostname)) return malformed('The host of the URL is not a host name that can exist.');
  return judgeParts(url, rest);
}

function judgeParts(url: URL, rest: string): ParsedDestinationUrl {
  // The raw authority, because the parser silently drops an empty "user:password@".
  const authority = /^\/\/([^/?#]*)/.exec(rest)?.[1] ?? '';
  if (authority.includes('@')) {
    return unusable(
      'url_has_credentials',
      'The URL must not contain a user name or password; verify the signature of deliveries instead.',
    );
  }
  if (url.href.length > MAX_DESTINATION_URL_LENGTH) {
    return malformed(`The URL is longer than ${MAX_DESTINATION_URL_LENGTH} characters when it is percent-encoded.`);
  }
  if (rest.includes('#')) {
    return unusable('url_has_fragment', 'The URL must not contain a fragment ("#…"): it would never be sent.');
  }
  return { ok: true, url };
}

function parse(raw: string): URL | undefined {
  try {
    return new URL(raw);
  } catch {
    return undefined;
  }
}

/** The parser has already checked bracketed IPv6 and IPv4, which looks like a name here. */
function isHostName(host: string): boolean {
  if (host.startsWith('[')) return true;
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  return name.length <= MAX_HOST_LENGTH && name.split('.').every((label) => HOST_LABEL.test(label));
}

function malformed(message: string): ParsedDestinationUrl {
  return { ok: false, kind: 'malformed', code: 'invalid_request', message };
}

function unusable(
  code: 'unsupported_url_scheme' | 'url_has_credentials' | 'url_has_fragment',
  message: string,
): ParsedDestinationUrl {
  return { ok: false, kind: 'unusable', code, message };
}

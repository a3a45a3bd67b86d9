"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.MAX_DESTINATION_URL_LENGTH = void 0;
exports.hostOf = hostOf;
exports.parseDestinationUrl = parseDestinationUrl;
/** Longest URL of a destination, in characters: what every common server and proxy still takes. */
exports.MAX_DESTINATION_URL_LENGTH = 2_048;
/** The host of a destination's URL, with its port unless the scheme implies it: `example.com:8443`. */
function hostOf(url) {
    return new URL(url).host;
}
const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;
/** Schemes whose missing or surplus slashes the WHATWG parser repairs in silence (URL standard, "special scheme"). */
const SPECIAL_SCHEMES = new Set(['http', 'https', 'ftp', 'ws', 'wss']);
/** Whitespace, control characters, backslashes, halves of surrogate pairs: the parser drops or rewrites them. */
const REPAIRED_CHARACTERS = /[\s\p{Cc}\\\p{Surrogate}]/u;
/** DNS names as they are looked up (RFC 1035, 2.3.4), with the underscore that real names have. */
const HOST_LABEL = /^[a-z0-9_-]{1,63}$/;
const MAX_HOST_LENGTH = 253;
/**
 * Decides what a destination's URL is, before any look at its host and port (decisions, "400 or 422").
 *
 * The raw string is judged first: the WHATWG parser repairs `https:host`, tabs, backslashes and surrounding spaces,
 * and what is stored must be what the caller meant.
 *
 * @param options.allowHttp accept `http:` as well (`DELIVERY_ALLOW_HTTP`)
 */
function parseDestinationUrl(raw, options) {
    if (raw.length > exports.MAX_DESTINATION_URL_LENGTH) {
        return malformed(`The URL is longer than ${exports.MAX_DESTINATION_URL_LENGTH} characters.`);
    }
    if (REPAIRED_CHARACTERS.test(raw)) {
        return malformed('The URL must not contain spaces, line breaks, control characters or backslashes; percent-encode them.');
    }
    const scheme = SCHEME.exec(raw)?.[1]?.toLowerCase();
    if (scheme === undefined)
        return malformed('The URL must be absolute, for example https://example.com/webhooks.');
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
    if (!isHostName(url.hostname))
        return malformed('The host of the URL is not a host name that can exist.');
    return judgeParts(url, rest);
}
function judgeParts(url, rest) {
    // The raw authority, since the parser drops an empty "user:password@" in silence.
    const authority = /^\/\/([^/?#]*)/.exec(rest)?.[1] ?? '';
    if (authority.includes('@')) {
        return unusable('url_has_credentials', 'The URL must not contain a user name or password; verify the signature of deliveries instead.');
    }
    if (rest.includes('#')) {
        return unusable('url_has_fragment', 'The URL must not contain a fragment ("#…"): it would never be sent.');
    }
    return { ok: true, url };
}
function parse(raw) {
    try {
        return new URL(raw);
    }
    catch {
        return undefined;
    }
}
/** Bracketed IPv6 has been checked by the parser already; so has IPv4, which looks like a name here. */
function isHostName(host) {
    if (host.startsWith('['))
        return true;
    const name = host.endsWith('.') ? host.slice(0, -1) : host;
    return name.length <= MAX_HOST_LENGTH && name.split('.').every((label) => HOST_LABEL.test(label));
}
function malformed(message) {
    return { ok: false, kind: 'malformed', code: 'invalid_request', message };
}
function unusable(code, message) {
    return { ok: false, kind: 'unusable', code, message };
}
//# sourceMappingURL=destination-url.js.map
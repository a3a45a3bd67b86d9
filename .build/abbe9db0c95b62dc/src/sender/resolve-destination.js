"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createCheckedLookup = createCheckedLookup;
const promises_1 = require("node:dns/promises");
const node_net_1 = require("node:net");
const lru_cache_1 = require("lru-cache");
const classify_failure_1 = require("./classify-failure");
/** A name that nobody answers for costs this much of an attempt, not all of it. */
const LOOKUP_TIMEOUT_MS = 10_000;
/**
 * Once one family has answered, the other one gets this long: many networks lose questions for IPv6 addresses.
 * What was not learned is not connected to.
 */
const SECOND_FAMILY_WAIT_MS = 1_000;
/** Per query and server; c-ares asks again after this time. */
const QUERY_TIMEOUT_MS = 2_500;
const QUERY_TRIES = 2;
const MAX_CACHED_NAMES = 1_000;
/** A name with hundreds of addresses must not turn one attempt into a scan. All are checked, these are tried. */
const MAX_TRIED_ADDRESSES = 8;
/** Answers that say "there is none", unlike those that say "I could not find out". */
const NO_ADDRESS = new Set(['ENODATA', 'ENOTFOUND']);
/**
 * Makes the `lookup` option of a connection: one look-up, every address of the answer checked, and only checked
 * addresses given to the socket. There is no second look-up that could answer differently (DNS rebinding).
 *
 * Sockets call it for names only. A literal address in a URL goes around it and has to be judged before.
 *
 * @returns a function that makes the `lookup` for one port
 */
function createCheckedLookup({ guard, resolver, cacheMs }) {
    const cache = new lru_cache_1.LRUCache({ max: MAX_CACHED_NAMES, ttl: Math.max(cacheMs, 1) });
    // Promises are cached, so that connections opened together share one look-up. Failures are not kept.
    const addressesOf = (name) => {
        const known = cacheMs > 0 ? cache.get(name) : undefined;
        if (known)
            return known;
        const found = resolver ? resolveAll(name, resolver) : resolveBySystem(name);
        if (cacheMs > 0) {
            cache.set(name, found);
            found.catch(() => cache.delete(name));
        }
        return found;
    };
    return (port) => (name, options, callback) => {
        addressesOf(name).then((addresses) => {
            // Checked on every use, cached or not. One bad address among good ones refuses the name: whoever serves
            // such an answer hopes that a retry or a slow family picks it.
            if (!addresses.every((address) => guard.allowsAddress(address, port))) {
                const isDenied = addresses.some((address) => guard.deniesAddress(address));
                const which = isDenied ? 'that this installation does not deliver to' : 'that is not public';
                return callback(new classify_failure_1.BlockedAddressError(`The name ${name} leads to an address ${which}.`), '');
            }
            const answers = addresses
                .slice(0, MAX_TRIED_ADDRESSES)
                .map((address) => ({ address, family: (0, node_net_1.isIPv6)(address) ? 6 : 4 }));
            if (options.all)
                return callback(null, answers);
            callback(null, answers[0].address, answers[0].family);
        }, (error) => callback(error, ''));
    };
}
/**
 * Asks with a resolver of its own (making one takes 20 µs): it can be cancelled without ending other look-ups, and
 * it follows a changed `/etc/resolv.conf`.
 */
async function resolveBySystem(name) {
    const resolver = new promises_1.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
    try {
        return await resolveAll(name, resolver);
    }
    finally {
        resolver.cancel();
    }
}
/** All addresses of a name, IPv4 first; one family's failure is forgiven when the other has answered. */
async function resolveAll(name, resolver) {
    const deadline = startDeadline(LOOKUP_TIMEOUT_MS);
    const ask = async (question) => {
        const addresses = await Promise.race([question, deadline.passed]);
        if (addresses.length > 0)
            deadline.shorten(SECOND_FAMILY_WAIT_MS);
        return addresses;
    };
    try {
        const families = await Promise.allSettled([ask(resolver.resolve4(name)), ask(resolver.resolve6(name))]);
        const addresses = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
        if (addresses.length > 0)
            return addresses;
        const codes = families.map((family) => (family.status === 'rejected' ? codeOf(family.reason) : 'ENODATA'));
        throw new classify_failure_1.NameLookupError(name, codes.find((code) => !NO_ADDRESS.has(code)) ?? 'ENOTFOUND');
    }
    finally {
        deadline.clear();
    }
}
function startDeadline(firstTimeoutMs) {
    let timer;
    let start = () => undefined;
    const passed = new Promise((_, reject) => {
        start = (timeoutMs) => {
            clearTimeout(timer);
            timer = setTimeout(() => reject(Object.assign(new Error('look-up timed out'), { code: 'ETIMEOUT' })), timeoutMs);
        };
    });
    start(firstTimeoutMs);
    return { passed, shorten: start, clear: () => clearTimeout(timer) };
}
function codeOf(error) {
    return String(error.code);
}
//# sourceMappingURL=resolve-destination.js.map
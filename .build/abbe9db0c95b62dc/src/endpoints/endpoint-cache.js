"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createEndpointCache = createEndpointCache;
const lru_cache_1 = require("lru-cache");
const MAX_ACCOUNTS = 10_000;
/** Heals the one case a version can't show: a registration that died before it raised the version. */
const MAX_AGE_MS = 10_000;
function createEndpointCache(endpoints) {
    const cache = new lru_cache_1.LRUCache({
        max: MAX_ACCOUNTS,
        ttl: MAX_AGE_MS,
    });
    return {
        async endpointsOf(accountId, version) {
            const cached = cache.get(accountId);
            // A newer version in the cache is as good: the list was read after that version was.
            if (cached && cached.version >= version)
                return cached.list;
            const list = endpoints.listByAccount(accountId);
            const entry = { version, list };
            cache.set(accountId, entry);
            list.catch(() => cache.get(accountId) === entry && cache.delete(accountId));
            return list;
        },
    };
}
//# sourceMappingURL=endpoint-cache.js.map
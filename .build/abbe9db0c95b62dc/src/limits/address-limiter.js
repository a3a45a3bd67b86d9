"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createAddressLimiter = createAddressLimiter;
const lru_cache_1 = require("lru-cache");
const windows_1 = require("./windows");
const MAX_ADDRESSES = 50_000;
/**
 * A fixed window for each address, in this process's memory.
 *
 * @param deps `quotaLimit` is what the headers say of a monthly quota, which addresses don't have: `null` is unlimited
 */
function createAddressLimiter(deps) {
    const windows = new lru_cache_1.LRUCache({ max: MAX_ADDRESSES });
    const windowOf = (address) => {
        const now = deps.clock();
        const window = windows.get(address);
        if (window && now - window.startedAt < windows_1.WINDOW_MS)
            return window;
        const fresh = { startedAt: now, used: 0 };
        windows.set(address, fresh);
        return fresh;
    };
    const viewOf = ({ startedAt, used }) => ({
        perMinute: deps.perMinute,
        remaining: deps.perMinute - used,
        resetAtSeconds: Math.ceil((startedAt + windows_1.WINDOW_MS) / 1_000),
        quotaUsed: 0,
        quotaLimit: deps.quotaLimit,
    });
    return {
        count(address) {
            const window = windowOf(address);
            const limited = window.used >= deps.perMinute;
            if (!limited)
                window.used += 1;
            const waitMs = window.startedAt + windows_1.WINDOW_MS - deps.clock();
            return { limited, view: viewOf(window), retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
        },
        peek: (address) => viewOf(windowOf(address)),
    };
}
//# sourceMappingURL=address-limiter.js.map
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createDeliveryLedger = createDeliveryLedger;
const lru_cache_1 = require("lru-cache");
const windows_1 = require("./windows");
const MAX_ACCOUNTS = 10_000;
const UNKNOWN = {
    windowStartedAt: new Date(0),
    perMinute: 0,
    used: 0,
    pendingLimit: null,
    pendingAtMost: 0,
    untold: 0,
    beingTold: 0,
};
function createDeliveryLedger() {
    const entries = new lru_cache_1.LRUCache({ max: MAX_ACCOUNTS });
    const entryOf = (accountId) => {
        const entry = entries.get(accountId) ?? { ...UNKNOWN };
        entries.set(accountId, entry);
        return entry;
    };
    return {
        take(accountId, count) {
            const entry = entryOf(accountId);
            const { pendingLimit, pendingAtMost } = pendingOf(entry);
            const isFull = pendingLimit !== null && pendingAtMost >= pendingLimit;
            const isLeft = !isFull && entry.used + entry.beingTold + entry.untold < entry.perMinute;
            if (isLeft)
                entry.untold += count;
            return isLeft;
        },
        pending: (accountId) => pendingOf(entryOf(accountId)),
        giveBack(accountId, count) {
            entryOf(accountId).untold -= count;
        },
        async tellWith(accountId, update) {
            const entry = entryOf(accountId);
            const { windowStartedAt, untold } = entry;
            entry.untold = 0;
            entry.beingTold += untold;
            try {
                const usage = await update(untold === 0 ? undefined : { windowStartedAt, count: untold });
                if (usage)
                    learn(entry, usage.deliveries);
                return usage;
            }
            catch (error) {
                entry.untold += untold;
                throw error;
            }
            finally {
                entry.beingTold -= untold;
            }
        },
    };
}
function pendingOf({ pendingLimit, pendingAtMost, untold, beingTold }) {
    return { pendingLimit, pendingAtMost: pendingAtMost + untold + beingTold };
}
/** Answers may come in another order than the updates were made in. Where this is too high, the database is asked. */
function learn(entry, standing) {
    const { perMinute, now, windowStartedAt, used, pendingLimit, pendingAtMost } = standing;
    Object.assign(entry, { perMinute, pendingLimit, pendingAtMost });
    const begins = windowStartedAt ?? now;
    const age = begins.getTime() - entry.windowStartedAt.getTime();
    if (age === 0)
        entry.used = Math.max(entry.used, used);
    else if (windowStartedAt ? age > 0 : age >= windows_1.WINDOW_MS)
        Object.assign(entry, { windowStartedAt: begins, used });
}
//# sourceMappingURL=delivery-ledger.js.map
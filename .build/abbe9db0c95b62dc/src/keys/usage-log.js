"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createUsageLog = createUsageLog;
const FLUSH_MS = 500;
/**
 * Counts calls against the account of their key, in memory, and stores the sums: what a busy key costs MongoDB does not
 * grow with its calls.
 */
function createUsageLog(deps) {
    let counts = new Map();
    const add = (record) => {
        const name = [record.key_id, record.day, record.operation].join('/');
        counts.set(name, { ...record, calls: record.calls + (counts.get(name)?.calls ?? 0) });
    };
    const flush = async () => {
        if (counts.size === 0)
            return;
        const records = [...counts.values()];
        counts = new Map();
        await deps.usage.add(records).catch((error) => {
            // The next flush tries again.
            records.forEach(add);
            deps.logger.debug({ err: error }, 'usage not stored yet');
        });
    };
    const timer = setInterval(() => void flush(), FLUSH_MS).unref();
    return {
        /** Counts one call; it is stored within a second. @param at the database's clock */
        note({ _id: keyId, account_id: accountId, product }, operation, at) {
            const day = at.toISOString().slice(0, 10);
            add({ account_id: accountId, day, key_id: keyId, product, operation, calls: 1 });
        },
        /** Stores what was counted. */
        async close() {
            clearInterval(timer);
            await flush();
        },
    };
}
//# sourceMappingURL=usage-log.js.map
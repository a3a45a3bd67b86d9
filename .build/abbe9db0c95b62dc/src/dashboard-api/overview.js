"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createOverview = createOverview;
exports.getEndpointHealth = getEndpointHealth;
const lru_cache_1 = require("lru-cache");
const delivery_state_1 = require("../domain/delivery-state");
const overview_store_1 = require("./overview-store");
const present_1 = require("./present");
const WINDOW_MS = 60_000;
/** Several browsers of a team, and each change that they are told of, share one count. */
const MIN_AGE_MS = 2_000;
/** Counting an account with very many events takes a tenth of a core at most, however often it is asked for. */
const AGE_PER_COUNTING = 10;
/** Makes the overview of an account. What is counted is some seconds old at most; the limits are of this moment. */
function createOverview(deps) {
    const counted = new lru_cache_1.LRUCache({ max: 1_000 });
    const count = async (key, accountId, hours, now) => {
        const startedAt = performance.now();
        try {
            return await countDeliveries(deps.overview, accountId, hours, now);
        }
        finally {
            const ttl = Math.max(MIN_AGE_MS, AGE_PER_COUNTING * (performance.now() - startedAt));
            const counting = counted.peek(key);
            if (counting)
                counted.set(key, counting, { ttl });
        }
    };
    return async (account, hours, now) => {
        const id = `${account._id} ${hours}`;
        let deliveries = counted.get(id);
        if (!deliveries) {
            deliveries = count(id, account._id, hours, now);
            counted.set(id, deliveries);
            deliveries.catch(() => counted.delete(id));
        }
        const [counts, limits] = await Promise.all([deliveries, readLimits(deps, account, now)]);
        return { ...counts, limits };
    };
}
async function countDeliveries(store, accountId, hours, now) {
    const rows = createHourRows(now, hours, emptyCounts);
    const [counts, latencies, unfinished] = await Promise.all([
        store.countSince(accountId, rows.from),
        store.latenciesSince(accountId, rows.from),
        store.countUnfinished(accountId),
    ]);
    const byHour = hoursOf(counts, rows);
    const totals = emptyCounts();
    for (const hour of byHour)
        for (const state of delivery_state_1.DELIVERY_STATES)
            totals[state] += hour[state];
    const ended = totals.delivered + totals.failed;
    const sorted = latencies.sort((a, b) => a - b);
    const inFlight = { pending: unfinished.get('pending') ?? 0, retrying: unfinished.get('retrying') ?? 0 };
    return {
        from: rows.from.toISOString(),
        to: now.toISOString(),
        sampled: counts.events >= overview_store_1.MAX_COUNTED,
        hours: byHour,
        totals: { events: counts.events, ...totals },
        success_rate: ended === 0 ? null : totals.delivered / ended,
        latency_ms: { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), attempts: sorted.length },
        in_flight: { ...inFlight, at_least: inFlight.pending + inFlight.retrying >= overview_store_1.MAX_COUNTED },
    };
}
function hoursOf({ byHour }, rows) {
    const filled = rows.fill();
    for (const { from, state, deliveries } of byHour) {
        const row = rows.rowAt(filled, from);
        if (row)
            row[state] += deliveries;
    }
    return filled;
}
function emptyCounts() {
    return { delivered: 0, failed: 0, cancelled: 0, pending: 0, retrying: 0 };
}
/** The least of the values that this share of them does not exceed. */
function percentile(sorted, share) {
    return sorted[Math.ceil(sorted.length * share) - 1] ?? null;
}
async function readLimits(deps, account, now) {
    const tier = (0, present_1.tierOf)(deps.tiers, account);
    const view = await deps.limiter.peek(account._id);
    const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    const windowEndsAt = view ? view.resetAtSeconds * 1_000 : now.getTime() + WINDOW_MS;
    return {
        tier,
        burst: {
            limit: tier.per_minute,
            used: view ? view.perMinute - view.remaining : 0,
            resets_at: new Date(windowEndsAt).toISOString(),
        },
        quota: { limit: tier.monthly_quota, used: view?.quotaUsed ?? 0, resets_at: nextMonth.toISOString() },
    };
}
const HOUR_MS = 3_600_000;
/**
 * The last full hours of a window, and the one that runs.
 *
 * @param empty makes the counts of an hour in which nothing happened
 */
function createHourRows(now, hours, empty) {
    const firstMs = Math.floor(now.getTime() / HOUR_MS - (hours - 1)) * HOUR_MS;
    return {
        /** When the first of them begins. */
        from: new Date(firstMs),
        /** A row for each hour, empty ones too; oldest first. */
        fill: () => Array.from({ length: hours }, (_, index) => ({
            from: new Date(firstMs + index * HOUR_MS).toISOString(),
            ...empty(),
        })),
        /** The row of the hour in which `at` is; undefined outside the window. */
        rowAt: (rows, at) => rows[Math.floor((at.getTime() - firstMs) / HOUR_MS)],
    };
}
const HOURS = 24;
/** How each endpoint of an account did in each of the last 24 hours. One that had no deliveries is left out. */
async function getEndpointHealth({ overview }, accountId, now) {
    const rows = createHourRows(now, HOURS, () => ({ delivered: 0, failed: 0, open: 0 }));
    const counts = await overview.countByEndpoint(accountId, rows.from);
    const byEndpoint = new Map();
    for (const count of counts) {
        const hours = byEndpoint.get(count.endpointId) ?? rows.fill();
        byEndpoint.set(count.endpointId, hours);
        const hour = rows.rowAt(hours, count.from);
        const field = fieldOf(count);
        if (hour && field)
            hour[field] += count.deliveries;
    }
    return [...byEndpoint].map(([endpointId, hours]) => ({
        endpoint_id: endpointId,
        hours,
        failure_rate: failureRate(hours),
    }));
}
/** A cancelled delivery says nothing about its receiver. */
function fieldOf({ state }) {
    if (state === 'cancelled')
        return undefined;
    return state === 'delivered' || state === 'failed' ? state : 'open';
}
/** Failed of all finished ones; null while there are none. */
function failureRate(hours) {
    const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
    const delivered = hours.reduce((sum, hour) => sum + hour.delivered, 0);
    return failed + delivered === 0 ? null : failed / (failed + delivered);
}
//# sourceMappingURL=overview.js.map
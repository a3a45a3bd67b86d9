"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.WINDOW_MS = void 0;
exports.windowIsOver = windowIsOver;
exports.byTier = byTier;
exports.tierOf = tierOf;
/** Length of the burst window (docs/spec.md, "Limits"), and of that of deliveries. */
exports.WINDOW_MS = 60_000;
/**
 * An expression: whether the window that began at `startedAt` has ended, by the database's clock. A missing one has, and one
 * that begins after the next one would: the clock was set back.
 */
function windowIsOver(startedAt) {
    return { $gte: [{ $abs: { $subtract: ['$$NOW', { $ifNull: [startedAt, new Date(0)] }] } }, exports.WINDOW_MS] };
}
/**
 * An expression: what `of` says of the account's tier; an account whose tier is not among them is limited as `free`. The
 * tier is read inside the update, so a changed one holds at once and costs no extra look-up.
 */
function byTier(tiers, of) {
    return {
        $switch: {
            branches: [...tiers.values()].map((tier) => ({ case: { $eq: ['$tier', tier.id] }, then: of(tier) })),
            default: of(tierOf(tiers, 'free')),
        },
    };
}
/** The tier of an account; one that is not configured counts as `free`. */
function tierOf(tiers, id) {
    return tiers.get(id) ?? tiers.get('free');
}
//# sourceMappingURL=windows.js.map
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.DEFAULT_TIERS = void 0;
exports.mergeTiers = mergeTiers;
/** Deliveries for each call of a minute: every call an event with so many destinations. */
const DELIVERIES_PER_CALL = 10;
/** The specification's six tiers. */
exports.DEFAULT_TIERS = [
    { id: 'free', name: 'Free', monthlyQuota: 500, perMinute: 10 },
    { id: 'developer', name: 'Developer', monthlyQuota: 10_000, perMinute: 60 },
    { id: 'starter', name: 'Starter', monthlyQuota: 50_000, perMinute: 120 },
    { id: 'team', name: 'Team', monthlyQuota: 200_000, perMinute: 300 },
    { id: 'business', name: 'Business', monthlyQuota: 1_000_000, perMinute: 600 },
    { id: 'enterprise', name: 'Enterprise', monthlyQuota: null, perMinute: 3_000 },
].map(withBudget);
/** The tiers of this installation: the defaults, with an operator's changes and additions laid over them. */
function mergeTiers(changes) {
    return new Map([...exports.DEFAULT_TIERS, ...changes.map(withBudget)].map((tier) => [tier.id, tier]));
}
/**
 * A tier whose budgets are not named has ten deliveries for each call of its minute, and as many pending ones as a month's
 * calls begin with ten destinations each: receivers that are down for the whole schedule fill none.
 */
function withBudget(tier) {
    const { monthlyQuota, pendingDeliveries: pending } = tier;
    return {
        ...tier,
        deliveriesPerMinute: tier.deliveriesPerMinute ?? tier.perMinute * DELIVERIES_PER_CALL,
        pendingDeliveries: pending === undefined ? monthlyQuota && monthlyQuota * DELIVERIES_PER_CALL : pending,
    };
}
//# sourceMappingURL=tiers.js.map
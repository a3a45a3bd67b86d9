"use strict";
var __importDefault = (this && this.__importDefault) || function (mod) {
    return (mod && mod.__esModule) ? mod : { "default": mod };
};
Object.defineProperty(exports, "__esModule", { value: true });
exports.MAX_ITEMS = void 0;
exports.estimateCost = estimateCost;
const big_js_1 = __importDefault(require("big.js"));
const estimate_item_1 = require("./estimate-item");
const exact_cost_1 = require("./exact-cost");
const price_unit_1 = require("./price-unit");
/** Most items of one estimate (docs/spec.md, "Cost estimator"). */
exports.MAX_ITEMS = 100;
/** Largest total, in US dollars a month (docs/spec.md, "Cost estimator"): cents up to here are exact in a JSON number. */
const MAX_TOTAL_USD = 10_000_000_000_000;
/**
 * Prices a shopping list, exactly: multiplied and added as decimals, rounded at the end (the catalog's `rules.md`).
 * The API and the page both call this, so they can't disagree.
 *
 * Never prices a part: one wrong item, and the answer is the list of all problems.
 *
 * @param items what the caller sent, of any type
 */
function estimateCost(index, items) {
    const listProblem = problemOfList(items);
    if (listProblem !== undefined)
        return invalidList(listProblem);
    const checked = items.map((item, position) => (0, estimate_item_1.checkItem)(index, item, `items[${position}]`));
    const problems = checked.flatMap((item) => (item.ok ? [] : item.problems));
    if (problems.length > 0)
        return { ok: false, problems };
    let total = (0, exact_cost_1.exactly)(0);
    const breakdown = [];
    const priced = [];
    for (const result of checked) {
        if (!result.ok)
            continue;
        const cost = costOf(result.item, result.priced);
        total = (0, exact_cost_1.plus)(total, cost);
        breakdown.push(lineOf(result.item, result.priced, cost));
        priced.push(result.priced);
    }
    const totalMonthlyUsd = (0, exact_cost_1.inCents)(total);
    if (totalMonthlyUsd > MAX_TOTAL_USD) {
        return invalidList('must not add up to more than 10,000,000,000,000 US dollars a month');
    }
    return {
        ok: true,
        estimate: { totalMonthlyUsd, totalAnnualUsd: (0, big_js_1.default)(totalMonthlyUsd).times(12).toNumber(), breakdown },
        priced,
    };
}
/** The exact cost of an item in US dollars a month. */
function costOf(item, { exactPrice, form }) {
    const cost = (0, exact_cost_1.times)(exactPrice, (0, exact_cost_1.exactly)(item.quantity));
    return form.usage === undefined ? cost : (0, exact_cost_1.times)(cost, (0, exact_cost_1.exactly)(usageOf(item, form.usage)));
}
function usageOf(item, field) {
    return item[field] ?? price_unit_1.USAGE_FIELDS[field].whenAbsent;
}
function lineOf(item, { entry }, cost) {
    return {
        provider: item.provider,
        service: item.service,
        instance: item.instance ?? entry.instance,
        quantity: withoutSign(item.quantity),
        unitPrice: entry.priceUsd,
        priceUnit: entry.priceUnit,
        monthlyUsd: withoutSign((0, exact_cost_1.inCents)(cost)),
    };
}
/** JSON has a -0, and it is a legal quantity; nobody wants to read it. */
function withoutSign(number) {
    return number === 0 ? 0 : number;
}
function problemOfList(items) {
    if (items === undefined)
        return 'is required';
    if (!Array.isArray(items))
        return 'must be an array';
    if (items.length === 0)
        return 'must have at least one item';
    if (items.length > exports.MAX_ITEMS)
        return `must have at most ${exports.MAX_ITEMS} items`;
    return undefined;
}
function invalidList(message) {
    return { ok: false, problems: [{ kind: 'invalid', path: 'items', message }] };
}
//# sourceMappingURL=cost-estimate.js.map
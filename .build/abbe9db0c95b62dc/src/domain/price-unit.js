"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.USAGE_FIELDS = void 0;
exports.formOfPriceUnit = formOfPriceUnit;
/** What a usage field says, the most it may be, and what it counts as when an item leaves it out. */
exports.USAGE_FIELDS = {
    hoursPerMonth: { means: 'hours a month', most: 744, whenAbsent: 730 },
    // Left out, `quantity` alone is the GB.
    gbPerMonth: { means: 'GB a month of each', most: 1_000_000_000, whenAbsent: 1 },
};
const WHOLE_FORMS = {
    'per hour': form('instances', 'hoursPerMonth'),
    'per vCPU-hour': form('vCPUs', 'hoursPerMonth'),
    'per GB-hour': form('GB', 'hoursPerMonth'),
    'per GB-second': form('GB-seconds a month', undefined),
    'per GB/month': form('volumes or buckets', 'gbPerMonth'),
    'per GB': form('flows', 'gbPerMonth'),
    'per month': form('units', undefined),
};
const BLOCK_SIZES = {
    million: 1_000_000,
    '100K': 100_000,
    '10K': 10_000,
    '1K': 1_000,
};
/**
 * Reads a catalog's price unit: `per hour`, `per GB/month`, `per <thing>/month`, `per million <things>`,
 * `per 100K|10K|1K <things>`, …
 *
 * @returns undefined for a unit that nobody could calculate with
 */
function formOfPriceUnit(priceUnit) {
    if (Object.hasOwn(WHOLE_FORMS, priceUnit))
        return WHOLE_FORMS[priceUnit];
    const thing = /^per ([a-z]+)\/month$/.exec(priceUnit)?.[1];
    if (thing !== undefined)
        return form(pluralOf(thing), undefined);
    const [, size, things] = /^per (million|100K|10K|1K) ([A-Za-z]+)$/.exec(priceUnit) ?? [];
    if (size === undefined || things === undefined)
        return undefined;
    const blockSize = BLOCK_SIZES[size];
    const means = size === 'million' ? `million ${things}` : `blocks of ${withCommas(blockSize)} ${things}`;
    return form(means, undefined, blockSize);
}
function form(quantityMeans, usage, blockSize = 1) {
    return { quantityMeans, usage, blockSize };
}
/** One policy, two policies; one key, two keys. */
function pluralOf(thing) {
    return /[^aeiou]y$/.test(thing) ? `${thing.slice(0, -1)}ies` : `${thing}s`;
}
function withCommas(count) {
    return String(count).replaceAll(/(?<=\d)(?=(\d{3})+$)/g, ',');
}
//# sourceMappingURL=price-unit.js.map
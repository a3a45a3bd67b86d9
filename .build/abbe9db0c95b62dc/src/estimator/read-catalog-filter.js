"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.readCatalogFilter = readCatalogFilter;
const catalog_1 = require("../domain/catalog");
const errors_1 = require("../domain/errors");
/**
 * Reads the filters of GET /api/cost-estimator; capitals and spaces around a value don't matter.
 *
 * @throws InvalidRequestError listing the allowed values, for every wrong parameter at once
 */
function readCatalogFilter(query) {
    const details = [];
    const read = (name, find, allowed) => {
        const value = query[name];
        if (value === undefined)
            return undefined;
        const found = typeof value === 'string' ? find(value) : undefined;
        if (found === undefined)
            details.push({ path: name, message: `must be one of ${allowed}` });
        return found;
    };
    const filter = {
        provider: read('provider', catalog_1.providerOf, `${catalog_1.PROVIDERS.join(', ')} (or cloud_a, cloud_b, cloud_c)`),
        category: read('category', categoryOf, catalog_1.CATEGORIES.join(', ')),
    };
    for (const name of Object.keys(query)) {
        if (!Object.hasOwn(filter, name))
            details.push({ path: name, message: 'is not a known parameter' });
    }
    const [first] = details;
    if (!first)
        return filter;
    throw new errors_1.InvalidRequestError(details.length === 1
        ? `"${first.path}" ${first.message}.`
        : `The query has ${details.length} problems; see details.`, 'invalid_request', details);
}
function categoryOf(value) {
    const key = (0, catalog_1.keyOf)(value);
    return catalog_1.CATEGORIES.find((category) => category === key);
}
//# sourceMappingURL=read-catalog-filter.js.map
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.MAX_QUANTITY = void 0;
exports.checkItem = checkItem;
const catalog_1 = require("./catalog");
const price_unit_1 = require("./price-unit");
/** Largest `quantity` (docs/spec.md, "Cost estimator"). */
exports.MAX_QUANTITY = 1_000_000_000;
/**
 * Checks one item and finds it in the catalog. Fields that the price unit does not use are checked too; fields that
 * nobody knows are ignored, since callers paste whole catalog entries.
 *
 * @param path where the item is, for the problems
 */
function checkItem(index, value, path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        return { ok: false, problems: [{ kind: 'invalid', path, message: 'must be an object' }] };
    }
    const item = value;
    const problems = [];
    const check = (field, message) => {
        if (message !== undefined)
            problems.push({ kind: 'invalid', path: `${path}.${field}`, message });
    };
    check('provider', problemOfProvider(item.provider));
    check('service', problemOfText(item.service, true));
    check('instance', problemOfText(item.instance, false));
    check('quantity', problemOfNumber(item.quantity, exports.MAX_QUANTITY, true));
    check('hoursPerMonth', problemOfNumber(item.hoursPerMonth, price_unit_1.USAGE_FIELDS.hoursPerMonth.most, false));
    check('gbPerMonth', problemOfNumber(item.gbPerMonth, price_unit_1.USAGE_FIELDS.gbPerMonth.most, false));
    if (problems.length > 0)
        return { ok: false, problems };
    return find(index, item, path);
}
function find(index, item, path) {
    const provider = (0, catalog_1.providerOf)(item.provider);
    const asked = { provider, service: item.service, instance: item.instance };
    const service = index.findService(provider, item.service);
    if (!service) {
        const message = `is not a service of ${provider} in the catalog`;
        return { ok: false, problems: [{ kind: 'unknown_service', path: `${path}.service`, message, ...asked }] };
    }
    const priced = item.instance === undefined ? service.entries[0] : service.find(item.instance);
    if (!priced) {
        const message = `is not an instance of ${provider} ${service.name} in the catalog`;
        return { ok: false, problems: [{ kind: 'unknown_instance', path: `${path}.instance`, message, ...asked }] };
    }
    return { ok: true, item, priced };
}
function problemOfProvider(value) {
    const problem = problemOfText(value, true);
    if (problem !== undefined)
        return problem;
    if ((0, catalog_1.providerOf)(value))
        return undefined;
    return `must be one of ${catalog_1.PROVIDERS.join(', ')} (or cloud_a, cloud_b, cloud_c)`;
}
function problemOfText(value, required) {
    if (value === undefined)
        return required ? 'is required' : undefined;
    return typeof value === 'string' ? undefined : 'must be a string';
}
function problemOfNumber(value, most, required) {
    if (value === undefined)
        return required ? 'is required' : undefined;
    if (typeof value !== 'number')
        return 'must be a number';
    // Not a number and the infinities fail here as well.
    return value >= 0 && value <= most ? undefined : `must be a number from 0 to ${most}`;
}
//# sourceMappingURL=estimate-item.js.map
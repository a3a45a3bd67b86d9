"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.CATEGORIES = exports.PROVIDER_SPELLINGS = exports.PROVIDERS = void 0;
exports.providerOf = providerOf;
exports.createCatalogIndex = createCatalogIndex;
exports.keyOf = keyOf;
exports.entryOf = entryOf;
const exact_cost_1 = require("./exact-cost");
const price_unit_1 = require("./price-unit");
/** The three cloud providers, as records show them (docs/spec.md, "Cost estimator"). */
exports.PROVIDERS = ['aws', 'azure', 'gcp'];
/** The neutral names of the specification; requests may use either. */
const PROVIDER_ALIASES = {
    cloud_a: 'aws',
    cloud_b: 'azure',
    cloud_c: 'gcp',
};
/** Every spelling of a provider that a request may use. */
exports.PROVIDER_SPELLINGS = [...exports.PROVIDERS, ...Object.keys(PROVIDER_ALIASES)];
exports.CATEGORIES = [
    'compute',
    'storage',
    'database',
    'networking',
    'containers',
    'serverless',
    'monitoring',
    'messaging',
    'cdn',
    'security',
    'cache',
    'ai_ml',
];
/** The provider that a spelling means: capitals and spaces around it don't matter. */
function providerOf(spelling) {
    const name = keyOf(spelling);
    return exports.PROVIDERS.find((provider) => provider === name) ?? aliasOf(name);
}
/**
 * Makes a catalog searchable.
 *
 * @throws RangeError for a price unit that can't be calculated with
 */
function createCatalogIndex(entries) {
    const services = new Map(exports.PROVIDERS.map((provider) => [provider, new Map()]));
    for (const entry of entries) {
        const form = (0, price_unit_1.formOfPriceUnit)(entry.priceUnit);
        if (!form)
            throw new RangeError(`nothing can be calculated with the price unit "${entry.priceUnit}"`);
        const ofProvider = services.get(entry.provider);
        let service = ofProvider.get(keyOf(entry.service));
        if (!service) {
            service = createService(entry.service);
            ofProvider.set(keyOf(entry.service), service);
        }
        service.add({ entry, form, exactPrice: (0, exact_cost_1.exactly)(entry.priceUsd) });
    }
    return {
        findService: (provider, service) => services.get(provider)?.get(keyOf(service)),
        servicesOf: (provider) => [...services.get(provider).values()],
    };
}
/** What two names are compared by. */
function keyOf(name) {
    return name.trim().toLowerCase();
}
function createService(name) {
    const entries = [];
    const byInstance = new Map();
    return {
        name,
        entries,
        find: (instance) => byInstance.get(keyOf(instance)),
        add(priced) {
            entries.push(priced);
            byInstance.set(keyOf(priced.entry.instance), priced);
        },
    };
}
function aliasOf(name) {
    return Object.hasOwn(PROVIDER_ALIASES, name) ? PROVIDER_ALIASES[name] : undefined;
}
/** What callers see of a row. */
function entryOf({ source: _s, sourceDate: _d, note: _n, grade: _g, ...entry }) {
    return entry;
}
//# sourceMappingURL=catalog.js.map
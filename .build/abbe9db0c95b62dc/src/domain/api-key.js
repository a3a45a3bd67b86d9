"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.API_KEY_PATTERN = exports.PRODUCT_PREFIXES = exports.PRODUCTS = void 0;
exports.formatApiKey = formatApiKey;
exports.productOfApiKey = productOfApiKey;
exports.productOfPath = productOfPath;
exports.maskApiKey = maskApiKey;
/** The six products, by the prefix that their keys carry (docs/spec.md, "Authentication"). */
exports.PRODUCTS = {
    weh: 'Webhook Reliability',
    sec: 'Secrets Leak Detection',
    pii: 'PII Scrubbing',
    dep: 'Deployment Risk Score',
    rat: 'Distributed Rate Limiting',
    api: 'API Health Monitor',
};
exports.PRODUCT_PREFIXES = Object.keys(exports.PRODUCTS);
/** Published for secret scanners: what a leaked key looks like. */
exports.API_KEY_PATTERN = /^svc_live_(weh|sec|pii|dep|rat|api)_([0-9a-f]{32})$/;
/**
 * Puts a key together.
 *
 * @param randomHex 32 lower-case hexadecimal digits (128 random bits)
 */
function formatApiKey(product, randomHex) {
    return `svc_live_${product}_${randomHex}`;
}
/** The product a well-formed key belongs to; `undefined` for anything else. */
function productOfApiKey(key) {
    return exports.API_KEY_PATTERN.exec(key)?.[1];
}
/** The product that a path of the key-scoped API belongs to; `undefined` where any key will do. */
function productOfPath(path) {
    return /^\/api\/v1\/webhooks(\/|$)/.test(path) ? 'weh' : undefined;
}
/** What may be shown of a key after its creation: `svc_live_weh_…4f2a`. */
function maskApiKey(key) {
    return `${key.slice(0, 'svc_live_xxx_'.length)}…${key.slice(-4)}`;
}
//# sourceMappingURL=api-key.js.map
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.SCOPE_NAMES = exports.SCOPES = void 0;
exports.isScope = isScope;
exports.scopesOf = scopesOf;
/** What a key of Webhook Reliability can be allowed to do, and how people read it. */
exports.SCOPES = {
    'events:write': 'Send events',
    'events:read': 'Read events and deliveries',
    'endpoints:read': 'Read endpoints',
    'endpoints:write': 'Register and change endpoints',
    'secrets:read': 'Reveal signing secrets',
    'deliveries:write': 'Retry, cancel and replay deliveries',
};
/** In the order in which they are shown everywhere. */
exports.SCOPE_NAMES = Object.keys(exports.SCOPES);
/** Tells a scope from any other text. */
function isScope(text) {
    return Object.hasOwn(exports.SCOPES, text);
}
/** The scopes that a key holds: those it was created with, or all of its product. Other products have none. */
function scopesOf({ product, scopes }) {
    return product === 'weh' ? (scopes ?? exports.SCOPE_NAMES) : [];
}
//# sourceMappingURL=scopes.js.map
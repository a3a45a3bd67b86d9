"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.credentialContext = exports.headersContext = void 0;
exports.sealedValuesOf = sealedValuesOf;
/** What is sealed in options is bound to its endpoint and its place; signing secrets, which change places, to the endpoint. */
const headersContext = (endpointId) => `${endpointId}/headers`;
exports.headersContext = headersContext;
const credentialContext = (endpointId) => `${endpointId}/authentication`;
exports.credentialContext = credentialContext;
/** All that is sealed in an endpoint's document; nothing is sealed anywhere else. */
function sealedValuesOf({ _id, secret, next_secret: next, options }) {
    const places = [
        ['secret', secret, _id],
        ['next_secret', next, _id],
        ['options.headers', options?.headers, (0, exports.headersContext)(_id)],
        ['options.authentication.secret', options?.authentication?.secret, (0, exports.credentialContext)(_id)],
    ];
    return places.flatMap(([place, sealed, context]) => (sealed ? [{ place, sealed, context }] : []));
}
//# sourceMappingURL=sealed-values.js.map
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.ENDPOINT_NOT_FOUND = exports.SECRET_EXAMPLE = exports.ENDPOINT_EXAMPLE = void 0;
const operation_1 = require("../http/operation");
/** An endpoint in the OpenAPI document. */
exports.ENDPOINT_EXAMPLE = {
    id: `ep_${operation_1.EXAMPLE_ID}`,
    url: 'https://example.com/webhooks',
    events: ['order.*'],
    description: 'Order service',
    metadata: { tenant: 'acme' },
    status: 'active',
    options: {
        retry_schedule: null,
        max_per_second: 10,
        ordered: false,
        disable_on_gone: false,
        honor_retry_after: true,
        headers: { 'X-Tenant': 'blue' },
        authentication: { type: 'basic', username: 'everpost' },
        filter: null,
    },
    created_at: '2026-11-21T12:00:00.000Z',
    updated_at: '2026-11-21T12:00:00.000Z',
};
/** Not a secret: 27 letters in base64. */
exports.SECRET_EXAMPLE = `whsec_${btoa('this-is-only-an-example-ok')}`;
/** What is said of an endpoint that is not there, or not the caller's. */
exports.ENDPOINT_NOT_FOUND = {
    errors: { 404: 'There is no such endpoint, or it is not yours.' },
    errorExamples: { 404: { error: 'There is no endpoint with this id.', code: 'endpoint_not_found' } },
};
//# sourceMappingURL=examples.js.map
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.buildOpenApi = buildOpenApi;
const delivered_request_1 = require("./delivered-request");
const error_examples_1 = require("./error-examples");
const error_view_1 = require("../http/error-view");
const json_schemas_1 = require("./json-schemas");
const openapi_headers_1 = require("./openapi-headers");
/** Errors that are the same everywhere: written once, under this name, and referred to. */
const SHARED_ERRORS = {
    400: { name: 'BadRequest', description: 'The body or a parameter is malformed, unknown, or must not be there.' },
    401: { name: 'Unauthorized', description: 'The key is missing, malformed, unknown, revoked or expired.' },
    403: {
        name: 'Forbidden',
        description: 'The key is for another product or lacks a scope of the operation, or its account is suspended.',
    },
    413: { name: 'PayloadTooLarge', description: 'The body is larger than 256 KiB.' },
    415: { name: 'UnsupportedMediaType', description: 'The body is not uncompressed application/json.' },
    429: { name: 'TooManyRequests', description: 'Burst limit, monthly quota or budget of deliveries exceeded.' },
    500: { name: 'InternalError', description: 'Internal error; safe to retry with a back-off.' },
    503: {
        name: 'Unavailable',
        description: 'The service can not answer right now; `code` says why, and whether it is certain that nothing was done.',
    },
};
const OF_ALL = [400, 401, 403, 429, 500, 503];
const OF_BODIES = [413, 415];
/**
 * Makes the OpenAPI 3.1 document from the operations that are served and the schemas that validate.
 *
 * @param publicUrl where callers reach the API; where that is not known, the document says: where it was loaded from
 */
function buildOpenApi(operations, publicUrl = '/') {
    const schemas = {
        sent: (0, json_schemas_1.jsonSchemas)(operations.flatMap(sentIn), 'input'),
        answered: (0, json_schemas_1.jsonSchemas)([...operations.flatMap(answeredIn), ...ERROR_VIEWS, ...DELIVERED], 'output'),
    };
    const paths = {};
    for (const operation of operations) {
        paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation, schemas) };
    }
    return {
        openapi: '3.1.0',
        info: {
            title: 'Everpost API',
            version: '1',
            summary: 'Durable webhook delivery',
            description: 'Register HTTPS destinations, post events, and every matching destination gets a signed POST: ' +
                '8 attempts over 26 h 35 min, deduplicated ingest, full attempt history.',
            license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        },
        servers: [{ url: publicUrl, description: 'This installation' }],
        tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] ?? name })),
        security: [{ apiKey: [] }],
        paths,
        webhooks: { delivery: { post: describeDelivery(schemas.answered) } },
        components: {
            securitySchemes: SECURITY_SCHEMES,
            schemas: { ...schemas.sent.components, ...schemas.answered.components },
            responses: Object.fromEntries(Object.entries(SHARED_ERRORS).map(([status, { name, description }]) => [
                name,
                failure(Number(status), description, (0, error_examples_1.errorExamples)(Number(status)), schemas),
            ])),
            headers: openapi_headers_1.ANSWER_HEADERS,
        },
    };
}
const TAGS = {
    Keys: 'Validity of API keys.',
    Endpoints: 'Destinations that receive deliveries.',
    Events: 'Ingest, and what became of an event.',
    Deliveries: 'One event on its way to one endpoint.',
    Replays: 'Many deliveries sent again, as a durable job.',
    'Cost estimator': 'A catalog of cloud prices, and estimates exact to the cent. Public; a key is optional.',
};
const SECURITY_SCHEMES = {
    apiKey: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'svc_live_<prefix>_<32hex>',
        description: 'An API key of the product, as `Authorization: Bearer <API_KEY>`. What an operation lists beside it are the ' +
            'scopes that the key must hold, all of them; a key that was created without scopes holds each.',
    },
    anyKey: {
        type: 'apiKey',
        in: 'header',
        name: 'x-api-key',
        description: "An API key of any product: the account's limit holds, and its usage is logged.",
    },
};
const ERROR_VIEWS = [error_view_1.errorView, error_view_1.tooManyRequestsView];
const DELIVERED = [delivered_request_1.deliveredView, ...Object.values(delivered_request_1.deliveredHeaders.shape)];
function sentIn({ params = {}, query, headers, body }) {
    const fields = [params, query?.shape ?? {}, headers?.shape ?? {}].flatMap((shape) => Object.values(shape));
    return [...fields, ...(body ? [body] : [])];
}
function answeredIn({ answers }) {
    return Object.values(answers).flatMap(({ schema }) => (schema ? [schema] : []));
}
function describe(operation, schemas) {
    const { scopes = [], security = scopes.length > 0 ? [{ apiKey: scopes }] : undefined } = operation;
    const needed = `the ${scopes.length > 1 ? 'scopes' : 'scope'} ${scopes.map((scope) => `\`${scope}\``).join(' and ')}`;
    const statuses = [
        ...OF_ALL,
        ...(operation.body ? OF_BODIES : []),
        ...Object.keys(operation.errors ?? {}).map(Number),
    ];
    return {
        operationId: operation.id,
        tags: [operation.tag],
        summary: operation.summary,
        // The viewer shows no scopes of bearer keys, so the words name them too.
        description: scopes.length > 0 ? `${operation.description} Needs ${needed}.` : operation.description,
        ...(security && { security }),
        parameters: [
            ...parametersOf(operation.params, 'path', schemas.sent),
            ...parametersOf(operation.query?.shape, 'query', schemas.sent),
            ...parametersOf(operation.headers?.shape, 'header', schemas.sent),
        ],
        ...(operation.body && {
            requestBody: {
                required: !operation.bodyIsOptional,
                content: {
                    'application/json': {
                        schema: schemas.sent.of(operation.body),
                        ...(operation.bodyExample !== undefined && { example: operation.bodyExample }),
                    },
                },
            },
        }),
        responses: {
            ...Object.fromEntries(Object.entries(operation.answers).map(([status, answer]) => [status, success(answer, schemas)])),
            ...Object.fromEntries(statuses.map((status) => [status, failureOf(operation, status, schemas)])),
        },
    };
}
function parametersOf(schemas, where, json) {
    return Object.entries(schemas ?? {}).map(([name, schema]) => {
        const { description, ...rest } = json.of(schema);
        const required = !schema.safeParse(undefined).success;
        return { name, in: where, required, description: description ?? name, schema: rest };
    });
}
function success({ description, mediaType, schema, headers = {}, example }, { answered }) {
    return {
        description,
        headers: {
            ...(0, openapi_headers_1.headersOf)(),
            ...Object.fromEntries(Object.entries(headers).map(([name, what]) => [name, (0, openapi_headers_1.words)(what)])),
        },
        ...(schema && {
            content: {
                [mediaType ?? 'application/json']: {
                    schema: answered.of(schema),
                    ...(example !== undefined && { example }),
                },
            },
        }),
    };
}
/** Where an operation has words or an example of its own they are its own; otherwise those that all share. */
function failureOf({ errors = {}, errorExamples: own = {} }, status, schemas) {
    const shared = SHARED_ERRORS[status];
    if (shared && errors[status] === undefined && !own[status])
        return { $ref: `#/components/responses/${shared.name}` };
    return failure(status, errors[status] ?? shared.description, (0, error_examples_1.errorExamples)(status, own[status]), schemas);
}
function failure(status, description, examples, { answered }) {
    const schema = answered.of(status === 429 ? error_view_1.tooManyRequestsView : error_view_1.errorView);
    return { description, headers: (0, openapi_headers_1.headersOf)(status), content: { 'application/json': { schema, ...examples } } };
}
/** What receivers get, and what they answer. */
function describeDelivery(json) {
    return {
        ...delivered_request_1.DELIVERY_WEBHOOK,
        security: [],
        parameters: parametersOf(delivered_request_1.deliveredHeaders.shape, 'header', json),
        requestBody: {
            required: true,
            content: { 'application/json': { schema: json.of(delivered_request_1.deliveredView), example: delivered_request_1.DELIVERED_EXAMPLE } },
        },
    };
}
//# sourceMappingURL=openapi.js.map
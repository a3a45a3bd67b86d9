"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addEndpointRoutes = addEndpointRoutes;
const errors_1 = require("../domain/errors");
const list_query_1 = require("../http/list-query");
const operation_1 = require("../http/operation");
const read_body_1 = require("../http/read-body");
const change_endpoint_1 = require("./change-endpoint");
const create_endpoint_1 = require("./create-endpoint");
const examples_1 = require("./examples");
const find_endpoint_1 = require("./find-endpoint");
const list_endpoints_1 = require("./list-endpoints");
const present_1 = require("./present");
const remove_endpoint_1 = require("./remove-endpoint");
const schema_1 = require("./schema");
const PATH = '/api/v1/webhooks/endpoints';
/** So many that one GET shows every endpoint an account can have. */
const endpointListQuery = (0, list_query_1.listQuery)(100);
const UNUSABLE_URL = 'The URL is well-formed and can not be used: its scheme, port, credentials, fragment or host is refused.';
/** Adds the operations on endpoints: the list, and one of them. */
function addEndpointRoutes(api, deps) {
    addList(api, deps);
    addCreate(api, deps);
    addGet(api, deps);
    addChange(api, deps);
    addRemove(api, deps);
}
function addList(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'listEndpoints',
        method: 'get',
        path: PATH,
        scopes: ['endpoints:read'],
        tag: 'Endpoints',
        summary: 'List endpoints',
        description: "The account's endpoints, newest first. Also the validity check of a webhook key: 200 when it is valid.",
        query: endpointListQuery,
        answers: {
            200: {
                description: 'A page of endpoints.',
                schema: schema_1.endpointListView,
                example: { endpoints: [examples_1.ENDPOINT_EXAMPLE], next_cursor: null },
            },
        },
    }, async (ctx) => {
        const query = (0, read_body_1.validate)(endpointListQuery, { ...ctx.query }, 'query');
        const { page, nextCursor } = await (0, list_endpoints_1.listEndpoints)(deps, ctx.state.caller.accountId, query);
        ctx.body = {
            endpoints: page.map((endpoint) => (0, present_1.presentEndpoint)(deps.secretBox, endpoint)),
            next_cursor: nextCursor,
        };
    });
}
function addCreate(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'createEndpoint',
        method: 'post',
        path: PATH,
        scopes: ['endpoints:write'],
        tag: 'Endpoints',
        summary: 'Register an endpoint',
        description: 'Registers a destination. Events ingested from now on are delivered to it when one of its patterns matches. ' +
            'The answer is the only one that shows the signing secret.',
        body: schema_1.createEndpointBody,
        bodyExample: { url: 'https://example.com/webhooks', events: ['order.*'], description: 'Order service' },
        recordsItself: true,
        answers: {
            201: {
                description: 'The registered endpoint with its signing secret.',
                schema: schema_1.createdEndpointView,
                example: { ...examples_1.ENDPOINT_EXAMPLE, secret: examples_1.SECRET_EXAMPLE },
                headers: { Location: 'Path of the endpoint.' },
            },
        },
        errors: {
            409: 'The account has as many endpoints as it can have (100).',
            422: UNUSABLE_URL,
        },
    }, async (ctx) => {
        const { value } = await (0, read_body_1.readBody)(ctx, schema_1.createEndpointBody, { inspect: urlProblemsOf(deps) });
        const { endpoint, secret } = await (0, create_endpoint_1.createEndpoint)(deps, ctx.state.caller, value);
        ctx.status = 201;
        ctx.set('Location', `${PATH}/${endpoint._id}`);
        // The one answer that shows the secret must not stay in anybody's cache.
        ctx.set('Cache-Control', 'no-store');
        ctx.body = { ...(0, present_1.presentEndpoint)(deps.secretBox, endpoint), secret };
    });
}
function addGet(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'getEndpoint',
        method: 'get',
        path: `${PATH}/{endpoint_id}`,
        scopes: ['endpoints:read'],
        tag: 'Endpoints',
        summary: 'Get an endpoint',
        description: 'The endpoint with its options, without its signing secret.',
        params: schema_1.endpointParams.shape,
        answers: { 200: { description: 'The endpoint.', schema: schema_1.endpointView, example: examples_1.ENDPOINT_EXAMPLE } },
        ...examples_1.ENDPOINT_NOT_FOUND,
    }, async (ctx) => {
        const { endpoint_id: id = '' } = ctx.params;
        ctx.body = (0, present_1.presentEndpoint)(deps.secretBox, await (0, find_endpoint_1.findEndpoint)(deps, ctx.state.caller.accountId, id));
    });
}
function addChange(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'changeEndpoint',
        method: 'patch',
        path: `${PATH}/{endpoint_id}`,
        scopes: ['endpoints:write'],
        tag: 'Endpoints',
        summary: 'Change an endpoint',
        description: 'What is left out stays as it is. A changed `url` holds for the next attempt of deliveries in flight, `events` ' +
            'and `options.filter` for the next event, `options.retry_schedule` for deliveries that begin from now on, the ' +
            'other options for the next attempt. `options` are merged one by one; null switches one off.',
        params: schema_1.endpointParams.shape,
        body: schema_1.changeEndpointBody,
        bodyExample: { url: 'https://example.com/v2/webhooks', options: { max_per_second: 10, filter: null } },
        recordsItself: true,
        answers: {
            200: {
                description: 'The endpoint as it is now.',
                schema: schema_1.endpointView,
                example: { ...examples_1.ENDPOINT_EXAMPLE, url: 'https://example.com/v2/webhooks' },
            },
        },
        errors: { ...examples_1.ENDPOINT_NOT_FOUND.errors, 422: UNUSABLE_URL },
        errorExamples: examples_1.ENDPOINT_NOT_FOUND.errorExamples,
    }, async (ctx) => {
        const { endpoint_id: id = '' } = ctx.params;
        const { value } = await (0, read_body_1.readBody)(ctx, schema_1.changeEndpointBody, { inspect: urlProblemsOf(deps) });
        const changed = await (0, change_endpoint_1.changeEndpoint)(deps, { ...ctx.state.caller, id }, value);
        ctx.body = (0, present_1.presentEndpoint)(deps.secretBox, changed);
    });
}
function addRemove(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'removeEndpoint',
        method: 'delete',
        path: `${PATH}/{endpoint_id}`,
        scopes: ['endpoints:write'],
        tag: 'Endpoints',
        summary: 'Remove an endpoint',
        description: 'Its deliveries in flight end as `cancelled`, and its history stays. A request that is under way may still be ' +
            'answered: a 2xx makes that delivery a delivered one.',
        params: schema_1.endpointParams.shape,
        recordsItself: true,
        answers: { 204: { description: 'It is removed.' } },
        ...examples_1.ENDPOINT_NOT_FOUND,
    }, async (ctx) => {
        const { endpoint_id: id = '' } = ctx.params;
        await (0, remove_endpoint_1.removeEndpoint)(deps, { ...ctx.state.caller, id });
        ctx.status = 204;
    });
}
/** What is wrong with a body's `url`: only the installation's settings tell which ones can be used. */
function urlProblemsOf({ checkUrl }) {
    return (body) => {
        const url = body?.url;
        if (typeof url !== 'string')
            return [];
        try {
            checkUrl(url);
            return [];
        }
        catch (error) {
            if (error instanceof errors_1.InvalidRequestError || error instanceof errors_1.UnprocessableError)
                return error.details;
            throw error;
        }
    };
}
//# sourceMappingURL=routes.js.map
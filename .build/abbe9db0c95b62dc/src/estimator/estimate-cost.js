"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.estimateBody = estimateBody;
const fastest_levenshtein_1 = require("fastest-levenshtein");
const catalog_1 = require("../domain/catalog");
const cost_estimate_1 = require("../domain/cost-estimate");
const errors_1 = require("../domain/errors");
/**
 * Prices the body of a request, or says everything that is wrong with it at once.
 *
 * @throws InvalidRequestError when something is malformed
 * @throws UnprocessableError when all is well-formed, and a service or instance is not in the catalog
 */
function estimateBody(index, body) {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
        const detail = { path: '', message: 'must be an object' };
        throw new errors_1.InvalidRequestError('The body must be an object.', 'invalid_request', [detail]);
    }
    const unknown = Object.keys(body).filter((name) => name !== 'items');
    const unknownFields = (0, errors_1.firstDetails)(unknown.map((path) => ({ path, message: 'is not a known field' })));
    const result = (0, cost_estimate_1.estimateCost)(index, body.items);
    if (result.ok && unknownFields.length === 0)
        return result;
    const problems = result.ok ? [] : result.problems;
    const details = [...unknownFields, ...problems.map((problem) => detailOf(index, problem))];
    const isMalformed = unknownFields.length > 0 || problems.some(({ kind }) => kind === 'invalid');
    throw isMalformed
        ? new errors_1.InvalidRequestError(sentenceOf(details, unknown.length + problems.length), 'invalid_request', details)
        : new errors_1.UnprocessableError(sentenceOf(details, problems.length), problems[0].kind, details);
}
function detailOf(index, problem) {
    const { path, message } = problem;
    return { path, message: problem.kind === 'invalid' ? message : `${message}${suggestName(index, problem)}` };
}
/** @param count how many problems there are; `details` may have the first of them */
function sentenceOf(details, count) {
    const [first] = details;
    if (count > 1)
        return `Nothing was priced: the items have ${count} problems; see details.`;
    const text = `"${first.path}" ${first.message}`;
    return text.endsWith('?') ? text : `${text}.`;
}
/** Longer texts are not misspelt names. */
const MAX_LENGTH = 60;
const MIN_PREFIX = 3;
const SHOWN_NAMES = 10;
/** What may have been meant by an unknown service or instance, as the end of the message; may be empty. */
function suggestName(index, { kind, provider, service, instance }) {
    if (kind === 'unknown_instance') {
        const instances = index.findService(provider, service).entries.map(({ entry }) => entry.instance);
        const near = nearest(instance ?? '', instances);
        return near === undefined ? `; it has ${listOf(instances)}` : `; did you mean "${near}"?`;
    }
    const services = index.servicesOf(provider);
    const near = nearest(service, services.map(({ name }) => name));
    const elsewhere = catalog_1.PROVIDERS.find((other) => index.findService(other, service));
    if (elsewhere)
        return `; ${elsewhere} has it`;
    if (near !== undefined)
        return `; did you mean "${near}"?`;
    const owner = services.find((candidate) => candidate.find(service));
    return owner ? `; it is an instance of "${owner.name}"` : '';
}
/** The name that begins with it, or that differs in at most a third of its letters. */
function nearest(given, names) {
    const key = (0, catalog_1.keyOf)(given);
    if (key === '' || key.length > MAX_LENGTH)
        return undefined;
    const nameOf = new Map(names.map((name) => [(0, catalog_1.keyOf)(name), name]));
    const keys = [...nameOf.keys()];
    const longer = key.length < MIN_PREFIX ? undefined : keys.find((other) => other.startsWith(key));
    if (longer !== undefined)
        return nameOf.get(longer);
    const near = (0, fastest_levenshtein_1.closest)(key, keys);
    return (0, fastest_levenshtein_1.distance)(key, near) <= Math.max(1, Math.floor(near.length / 3)) ? nameOf.get(near) : undefined;
}
function listOf(names) {
    return [...names.slice(0, SHOWN_NAMES), ...(names.length > SHOWN_NAMES ? ['…'] : [])].join(', ');
}
//# sourceMappingURL=estimate-cost.js.map
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.matchDestinations = matchDestinations;
const errors_1 = require("../domain/errors");
const event_pattern_1 = require("../domain/event-pattern");
const raw_json_1 = require("../domain/raw-json");
const event_filter_1 = require("../endpoints/event-filter");
/**
 * Most work that filters may make of one event: bytes of its data × depth of nesting × values compared with.
 * Measured on hostile data and filters: 0.2 s; a usual event of 2 KB with ten filters needs a fiftieth of it.
 */
const MAX_FILTER_WORK = 2_097_152;
/** Kept as long as the endpoint is in the endpoint cache, so each version of an endpoint is compiled once. */
const compiled = new WeakMap();
/**
 * The endpoints that an event goes to: one of their patterns matches its type, and its data meet their filter.
 * The data are parsed only when there is a filter to ask.
 *
 * @throws UnprocessableError when the filters would need too long for such data
 */
function matchDestinations(endpoints, { type, data }) {
    const matching = endpoints.filter(({ events }) => events.some((pattern) => (0, event_pattern_1.matchesEventType)(pattern, type)));
    const comparisons = matching.reduce((sum, endpoint) => sum + (filterOf(endpoint)?.comparisons ?? 0), 0);
    if (comparisons === 0)
        return matching;
    if (data.byteLength * (0, raw_json_1.scanJson)(data).depth * comparisons > MAX_FILTER_WORK) {
        throw new errors_1.UnprocessableError(`The filters of this account's endpoints compare with ${comparisons} values, which takes too long for ` +
            `${data.byteLength} bytes of data. Send less data, nest it less, or simplify the filters.`, 'filters_too_costly');
    }
    const parsed = JSON.parse(Buffer.from(data).toString('utf8'));
    return matching.filter((endpoint) => filterOf(endpoint)?.matches(parsed) ?? true);
}
function filterOf(endpoint) {
    const text = endpoint.options?.filter;
    if (text === undefined)
        return undefined;
    let filter = compiled.get(endpoint);
    if (!filter) {
        filter = (0, event_filter_1.compileFilter)(JSON.parse(text));
        compiled.set(endpoint, filter);
    }
    return filter;
}
//# sourceMappingURL=match-destinations.js.map
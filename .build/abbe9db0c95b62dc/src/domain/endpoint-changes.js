"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.endpointChanges = endpointChanges;
const destination_url_1 = require("./destination-url");
/** Options that the log tells the values of. Of the others, which may hold secrets or data, it tells that they changed. */
const OPEN_OPTIONS = [
    'retry_schedule',
    'max_per_second',
    'ordered',
    'disable_on_gone',
    'honor_retry_after',
];
const HIDDEN_OPTIONS = ['headers', 'authentication', 'filter'];
/**
 * What the audit log tells of a changed endpoint: names of fields, from what to what. Of a URL there is the host alone,
 * since its path and query may be secret; of what is sealed, nothing but that it was set, changed or removed.
 *
 * @param before null for a new endpoint; `after` is null for one that was removed
 */
function endpointChanges(before, after) {
    const changeOf = (field, tell, values) => {
        if (JSON.stringify(values[0]) === JSON.stringify(values[1]))
            return [];
        const [from, to] = values.map((value) => (value === undefined ? undefined : tell(value)));
        return [{ field, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
    };
    const hidden = () => undefined;
    const option = (name, tell) => changeOf(`options.${name}`, tell, [optionOf(before, name), optionOf(after, name)]);
    return [
        ...changeOf('url', destination_url_1.hostOf, [before?.url, after?.url]),
        ...changeOf('events', (patterns) => patterns.join(' '), [before?.events, after?.events]),
        ...changeOf('description', hidden, [before?.description, after?.description]),
        ...changeOf('metadata', hidden, [before?.metadata, after?.metadata]),
        ...changeOf('status', String, [before?.status, after?.status]),
        ...changeOf('verification', ({ state }) => state, [before?.verification, after?.verification]),
        ...OPEN_OPTIONS.flatMap((name) => option(name, String)),
        ...HIDDEN_OPTIONS.flatMap((name) => option(name, hidden)),
        ...changeOf('secret', hidden, [before?.secret, after?.secret]),
        ...changeOf('next_secret', hidden, [before?.next_secret, after?.next_secret]),
    ];
}
function optionOf(endpoint, name) {
    return endpoint?.options?.[name];
}
//# sourceMappingURL=endpoint-changes.js.map
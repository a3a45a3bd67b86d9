"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.parseCatalog = parseCatalog;
const sync_1 = require("csv-parse/sync");
const catalog_1 = require("../domain/catalog");
const errors_1 = require("../domain/errors");
const schema_1 = require("./schema");
/** Most rows of a catalog: they are one document in MongoDB, and one answer of the API. */
const MAX_ROWS = 5_000;
/** Most problems that the message shows. */
const SHOWN_PROBLEMS = 20;
/**
 * Reads a catalog file, all or nothing: CSV with a line of names first, or JSON (an array of rows, or an object with
 * `services` as GET /api/cost-estimator answers it).
 *
 * @throws InvalidRequestError whose message has a line for every problem, up to 20
 */
function parseCatalog(content) {
    const text = content.replace(/^\uFEFF/, '');
    const values = /^\s*[[{]/.test(text) ? parseJson(text) : parseCsv(text);
    if (values.length === 0 || values.length > MAX_ROWS) {
        throw invalid([`A catalog has 1 to ${MAX_ROWS} rows; this one has ${values.length}.`]);
    }
    const problems = [];
    const rows = values.flatMap((value, index) => {
        const result = schema_1.catalogRowSchema.safeParse(value);
        if (result.success)
            return [result.data];
        for (const { path, message } of result.error.issues)
            problems.push(`row ${index + 1}: ${[...path, message].join(' ')}`);
        return [];
    });
    if (problems.length === 0)
        problems.push(...contradictionsOf(rows));
    if (problems.length > 0)
        throw invalid(problems);
    return rows;
}
function parseJson(text) {
    try {
        const value = JSON.parse(text);
        const rows = Array.isArray(value) ? value : value.services;
        if (Array.isArray(rows))
            return rows;
    }
    catch (error) {
        throw invalid([`It is not JSON: ${error.message}.`]);
    }
    throw invalid(['A JSON catalog is an array of rows, or an object with "services".']);
}
function parseCsv(text) {
    try {
        const rows = (0, sync_1.parse)(text, { columns: true, skip_empty_lines: true });
        return rows.map((row) => ({ ...row, priceUsd: priceOf(row['priceUsd']) }));
    }
    catch (error) {
        throw invalid([`It is not CSV: ${error.message}.`]);
    }
}
/** A plain decimal as a number; anything else stays text, and the schema refuses it. */
function priceOf(price) {
    return price !== undefined && /^\d{1,7}(\.\d{1,15})?$/.test(price) ? Number(price) : price;
}
/** Contradictions between rows that are each valid. */
function contradictionsOf(rows) {
    const firstRow = new Map();
    const categories = new Map();
    return rows.flatMap(({ provider, category, service, instance }, index) => {
        const serviceKey = JSON.stringify([provider, (0, catalog_1.keyOf)(service)]);
        const key = JSON.stringify([provider, (0, catalog_1.keyOf)(service), (0, catalog_1.keyOf)(instance)]);
        const earlier = firstRow.get(key);
        if (earlier !== undefined)
            return [`row ${index + 1}: ${provider} ${service} ${instance} is row ${earlier} already`];
        firstRow.set(key, index + 1);
        const known = categories.get(serviceKey);
        categories.set(serviceKey, known ?? category);
        return known === undefined || known === category
            ? []
            : [`row ${index + 1}: ${provider} ${service} is in the category ${known} already`];
    });
}
function invalid(problems) {
    const more = problems.length - SHOWN_PROBLEMS;
    const lines = [...problems.slice(0, SHOWN_PROBLEMS), ...(more > 0 ? [`… and ${more} more`] : [])];
    return new errors_1.InvalidRequestError(`The catalog can't be used; nothing was changed.\n${lines.join('\n')}`, 'invalid_catalog');
}
//# sourceMappingURL=parse-catalog.js.map
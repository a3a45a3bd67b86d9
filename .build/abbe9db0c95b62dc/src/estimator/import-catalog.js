"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.importCatalog = importCatalog;
exports.replaceCatalog = replaceCatalog;
exports.readBuiltInCatalog = readBuiltInCatalog;
const node_fs_1 = require("node:fs");
const node_path_1 = require("node:path");
const catalog_1 = require("../domain/catalog");
const parse_catalog_1 = require("./parse-catalog");
const catalog_store_1 = require("./catalog-store");
/**
 * Puts an operator's catalog in force: all of it, or nothing.
 *
 * @param input `dryRun` only tells what would change
 * @throws InvalidRequestError with every problem of the file
 */
async function importCatalog(deps, input) {
    const catalog = (0, catalog_store_1.catalogOf)((0, parse_catalog_1.parseCatalog)(input.content), { source: 'imported' });
    return replaceCatalog(deps, { catalog, dryRun: input.dryRun });
}
/** Replaces the catalog in force. `dryRun` only tells what would change. */
async function replaceCatalog({ catalogs }, { catalog, dryRun }) {
    const current = await catalogs.read();
    if (!dryRun)
        await catalogs.replace(catalog);
    return { catalog, changes: changesBetween(current?.rows ?? [], catalog.rows) };
}
function changesBetween(before, after) {
    const old = new Map(before.map((row) => [rowKey(row), row]));
    const kept = new Set(after.map(rowKey));
    const defaults = defaultsOf(before);
    const changes = [];
    for (const row of after) {
        const was = old.get(rowKey(row));
        if (!was)
            changes.push(changeOf('added', row, priceOf(row)));
        else if (fieldsChanged(was, row) !== '')
            changes.push(changeOf('changed', row, fieldsChanged(was, row)));
    }
    for (const row of before) {
        if (!kept.has(rowKey(row)))
            changes.push(changeOf('removed', row, priceOf(row)));
    }
    for (const [service, row] of defaultsOf(after)) {
        const was = defaults.get(service);
        if (was && rowKey(was) !== rowKey(row))
            changes.push(changeOf('default', row, `was ${was.instance}`));
    }
    return changes;
}
/** What an item without `instance` gets: the first row of each service. */
function defaultsOf(rows) {
    // Of equal keys a map keeps the last one.
    return new Map(rows.toReversed().map((row) => [JSON.stringify([row.provider, (0, catalog_1.keyOf)(row.service)]), row]));
}
function changeOf(change, row, what) {
    return { change, provider: row.provider, service: row.service, instance: row.instance, what };
}
function fieldsChanged(was, is) {
    return Object.keys(is)
        .filter((name) => was[name] !== is[name])
        .map((name) => `${name}: ${was[name] === '' ? '(none)' : was[name]} → ${is[name] === '' ? '(none)' : is[name]}`)
        .join(', ');
}
function priceOf({ priceUsd, priceUnit }) {
    return `${priceUsd} ${priceUnit}`;
}
function rowKey({ provider, service, instance }) {
    return JSON.stringify([provider, (0, catalog_1.keyOf)(service), (0, catalog_1.keyOf)(instance)]);
}
/** Grows with every change of `catalog.csv`: the higher version wins when two versions of Everpost share a database. */
const BUILT_IN_VERSION = 2;
/** The catalog that comes with this version of Everpost. */
function readBuiltInCatalog() {
    const rows = (0, parse_catalog_1.parseCatalog)((0, node_fs_1.readFileSync)((0, node_path_1.join)(__dirname, 'catalog.csv'), 'utf8'));
    return (0, catalog_store_1.catalogOf)(rows, { source: 'built-in', version: BUILT_IN_VERSION });
}
//# sourceMappingURL=import-catalog.js.map
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addCatalogCommands = addCatalogCommands;
const promises_1 = require("node:fs/promises");
const config_1 = require("../config");
const import_catalog_1 = require("../estimator/import-catalog");
/** `everpost catalog …` */
function addCatalogCommands(cli, { add, run }) {
    const catalog = cli.command('catalog').description('prices of the cost estimator');
    add(catalog, 'show', 'show which catalog is in use').action(run(async ({ catalogs }) => {
        const current = await catalogs.read();
        if (!current)
            return [];
        const { origin, revision, rows, changed_at: changedAt } = current;
        const version = origin.source === 'built-in' ? origin.version : null;
        return { source: origin.source, version, rows: rows.length, revision, changed_at: changedAt.toISOString() };
    }));
    add(catalog, 'import', 'use your own prices from a CSV or JSON file: all rows or none')
        .argument('<file>', 'CSV with a line of names, or JSON')
        .option('--dry-run', 'show what would change, and change nothing')
        .action(run(async (deps, options, file) => {
        const content = await (0, promises_1.readFile)(file, 'utf8').catch((error) => {
            throw new config_1.ConfigError(`The file can't be read: ${error.message}.`);
        });
        return report(options, await (0, import_catalog_1.importCatalog)(deps, { content, dryRun: isDry(options) }));
    }));
    add(catalog, 'reset', 'return to the built-in prices')
        .option('--dry-run', 'show what would change, and change nothing')
        .action(run(async (deps, options) => {
        const replacement = { catalog: (0, import_catalog_1.readBuiltInCatalog)(), dryRun: isDry(options) };
        return report(options, await (0, import_catalog_1.replaceCatalog)(deps, replacement));
    }));
}
function isDry(options) {
    return 'dryRun' in options;
}
/** A dry run shows each change; the real one how many there were. */
function report(options, { catalog, changes }) {
    if (isDry(options))
        return changes.map((change) => ({ ...change }));
    const count = (kind) => changes.filter(({ change }) => change === kind).length;
    const { origin, rows } = catalog;
    return {
        source: origin.source,
        rows: rows.length,
        added: count('added'),
        removed: count('removed'),
        changed: count('changed'),
        new_defaults: count('default'),
    };
}
//# sourceMappingURL=catalog-commands.js.map
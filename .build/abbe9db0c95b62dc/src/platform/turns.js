"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createTurns = createTurns;
/** @param atOnce how many run at a time */
function createTurns(atOnce) {
    const queue = [];
    let running = 0;
    return {
        async take(work) {
            if (running >= atOnce)
                await new Promise((resolve) => queue.push(resolve));
            else
                running += 1;
            try {
                return await work();
            }
            finally {
                // The place is handed on, or given up.
                const next = queue.shift();
                if (next)
                    next();
                else
                    running -= 1;
            }
        },
        waiting: () => queue.length,
    };
}
//# sourceMappingURL=turns.js.map
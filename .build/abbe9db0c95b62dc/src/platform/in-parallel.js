"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.inParallel = inParallel;
/**
 * Does `work` for each item, at most `atOnce` at a time. One failure does not keep the others from being tried.
 *
 * @returns for how many `work` resolved to true
 */
async function inParallel(items, atOnce, work) {
    let done = 0;
    const queue = [...items];
    const lane = async () => {
        for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
            if (await work(item).catch(() => false))
                done += 1;
        }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    return done;
}
//# sourceMappingURL=in-parallel.js.map
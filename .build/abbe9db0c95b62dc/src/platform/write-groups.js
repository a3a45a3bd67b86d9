"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createWriteGroup = createWriteGroup;
/**
 * Makes a group that writes at once when idle and otherwise lets what arrives wait for the group in flight:
 * no added delay for a lone caller, one journal flush for many concurrent ones. Each caller's promise settles
 * only when its own item is written, so an acknowledgement stays true.
 *
 * @param write writes all items in one go, and answers in the same order; a rejection goes to every caller
 * @param options `maxItems` in a group, `maxInFlight` groups at a time; `lingerMs` lets a group wait for company,
 *   where nobody waits for its callers
 */
function createWriteGroup(write, options) {
    const queue = [];
    let inFlight = 0;
    let isScheduled = false;
    const flush = async () => {
        const group = queue.splice(0, options.maxItems);
        for (const { forget } of group)
            forget?.();
        inFlight += 1;
        try {
            const results = await write(group.map(({ item }) => item));
            group.forEach((waiting, index) => settle(waiting, results[index]));
        }
        catch (error) {
            for (const waiting of group)
                waiting.reject(error);
        }
        finally {
            inFlight -= 1;
            pump();
        }
    };
    const pump = () => {
        isScheduled = false;
        while (queue.length > 0 && inFlight < options.maxInFlight)
            void flush();
    };
    /** Not at once: what else this turn of the event loop brings is written in the same go. */
    const schedulePump = () => {
        if (isScheduled)
            return;
        isScheduled = true;
        if (options.lingerMs === undefined)
            setImmediate(pump);
        else
            setTimeout(pump, options.lingerMs);
    };
    return {
        add: (item, signal) => new Promise((resolve, reject) => {
            signal?.throwIfAborted();
            const leave = () => {
                queue.splice(queue.indexOf(waiting), 1);
                reject(signal?.reason);
            };
            const forget = signal && (() => signal.removeEventListener('abort', leave));
            const waiting = { item, resolve, reject, forget };
            signal?.addEventListener('abort', leave);
            queue.push(waiting);
            schedulePump();
        }),
    };
}
function settle(waiting, result) {
    if (result === undefined)
        waiting.reject(new Error('the group write gave no result for this item'));
    else if ('error' in result)
        waiting.reject(result.error);
    else
        waiting.resolve(result.value);
}
//# sourceMappingURL=write-groups.js.map
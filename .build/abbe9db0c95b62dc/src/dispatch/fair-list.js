"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createFairList = createFairList;
/**
 * What waits, in a line for each endpoint: accounts take turns, and an account's endpoints do.
 *
 * @param max when it holds this many, the account that waits most loses its newest: a noisy one pushes nobody else out
 */
function createFairList(max) {
    /** The next account, and its next endpoint, first. */
    const accounts = new Map();
    let size = 0;
    const takeFrom = (accountId, lines, endpointId) => {
        const line = lines.get(endpointId);
        const delivery = line.shift();
        // Both go to the end.
        lines.delete(endpointId);
        if (line.length > 0)
            lines.set(endpointId, line);
        accounts.delete(accountId);
        if (lines.size > 0)
            accounts.set(accountId, lines);
        size -= 1;
        return delivery;
    };
    const makeRoom = () => {
        const longest = longestOf(longestOf(accounts.values(), countOf)?.values() ?? [], (line) => line.length);
        size -= 1;
        return longest?.pop();
    };
    const add = (delivery) => {
        const { endpointId } = delivery.ref;
        const lines = accounts.get(delivery.accountId) ?? new Map();
        accounts.set(delivery.accountId, lines);
        const line = lines.get(endpointId);
        if (line)
            line.push(delivery);
        else
            lines.set(endpointId, [delivery]);
        size += 1;
        return size > max ? makeRoom() : undefined;
    };
    return {
        size: () => size,
        waitingFor: ({ accountId, endpointId }) => accounts.get(accountId)?.get(endpointId)?.length ?? 0,
        /** @returns what had to go for it */
        add,
        /** The oldest of the line whose turn it is, of the endpoints that `mayGo` names. */
        take(mayGo) {
            for (const [accountId, lines] of accounts) {
                for (const [endpointId, line] of lines) {
                    if (line.length > 0 && mayGo(endpointId))
                        return takeFrom(accountId, lines, endpointId);
                }
            }
            return undefined;
        },
        /** Takes all that `isMeant` chooses; the others keep their order. */
        takeAll(isMeant = () => true) {
            const all = [...accounts.values()].flatMap((lines) => [...lines.values()].flat());
            accounts.clear();
            size = 0;
            for (const delivery of all)
                if (!isMeant(delivery))
                    add(delivery);
            return all.filter(isMeant);
        },
    };
}
function countOf(lines) {
    let count = 0;
    for (const line of lines.values())
        count += line.length;
    return count;
}
function longestOf(all, lengthOf) {
    let longest;
    for (const it of all)
        if (longest === undefined || lengthOf(it) > lengthOf(longest))
            longest = it;
    return longest;
}
//# sourceMappingURL=fair-list.js.map
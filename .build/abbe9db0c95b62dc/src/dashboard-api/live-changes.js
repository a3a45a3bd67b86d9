"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createLiveChanges = createLiveChanges;
const lru_cache_1 = require("lru-cache");
const shared_watch_1 = require("../platform/shared-watch");
const change_store_1 = require("./change-store");
/** So that a burst of changes is one message, and one look at the pages. */
const GATHER_MS = 300;
const MAX_IDS = 200;
const MAX_REMEMBERED = 50_000;
/** Tells subscribers what changed in their accounts. Nothing is watched while there are none. */
function createLiveChanges(deps) {
    const accountOf = new lru_cache_1.LRUCache({ max: MAX_REMEMBERED });
    let gathered = [];
    let timer;
    const watch = (0, shared_watch_1.createSharedWatch)({
        watch: (follower) => deps.changes.watch(follower),
        onChange: (change) => {
            gathered.push(change);
            timer ??= setTimeout(() => void tell(), GATHER_MS).unref();
        },
        onBroken: (error) => {
            deps.logger.warn({ err: error }, 'the watch on changes broke; dashboards look again when it is back');
        },
    });
    const tell = async () => {
        timer = undefined;
        const changes = gathered;
        gathered = [];
        try {
            for (const [accountId, own] of await byOwner(deps.changes, accountOf, changes)) {
                const message = messageOf(own);
                for (const subscriber of watch.ofAccount(accountId))
                    subscriber.onChange(message);
            }
        }
        catch (error) {
            deps.logger.warn({ err: error }, 'the owners of changes could not be looked up');
            for (const subscriber of watch.all())
                subscriber.onReady();
        }
    };
    return {
        /** @returns a function that ends it */
        subscribe: (subscriber) => watch.subscribe(subscriber),
        async close() {
            clearTimeout(timer);
            await watch.close();
        },
    };
}
/** Sorts changes by the account they belong to. */
async function byOwner(store, accountOf, changes) {
    const keyOf = ({ kind, id }) => `${kind} ${id}`;
    for (const change of changes)
        if (change.accountId !== undefined)
            accountOf.set(keyOf(change), change.accountId);
    await Promise.all(change_store_1.CHANGE_KINDS.map(async (kind) => {
        const unknown = changes.filter((change) => change.kind === kind && !accountOf.has(keyOf(change)));
        if (unknown.length === 0)
            return;
        const found = await store.accountsOf(kind, [...new Set(unknown.map(({ id }) => id))]);
        for (const [id, accountId] of found)
            accountOf.set(keyOf({ kind, id }), accountId);
    }));
    const owned = new Map();
    for (const change of changes) {
        const accountId = accountOf.get(keyOf(change));
        if (accountId === undefined)
            continue;
        const own = owned.get(accountId);
        if (own)
            own.push(change);
        else
            owned.set(accountId, [change]);
    }
    return owned;
}
function messageOf(changes) {
    const message = {};
    let more = false;
    for (const kind of change_store_1.CHANGE_KINDS) {
        const ids = [...new Set(changes.filter((change) => change.kind === kind).map(({ id }) => id))];
        if (ids.length > 0)
            message[kind] = ids.slice(0, MAX_IDS);
        more ||= ids.length > MAX_IDS;
    }
    return more ? { ...message, more } : message;
}
//# sourceMappingURL=live-changes.js.map
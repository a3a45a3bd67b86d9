"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createSharedWatch = createSharedWatch;
/**
 * A change stream holds a connection to the database all the time: with one for each subscriber, those who only listen
 * would take the connections from all others.
 *
 * @param deps `watch` starts the one watch, `onChange` passes a change on to the subscribers it concerns
 */
function createSharedWatch(deps) {
    const byAccount = new Map();
    let watch;
    const all = () => [...byAccount.values()].flatMap((subscribers) => [...subscribers]);
    const startWatch = () => {
        const follower = {
            onChange(change, position) {
                // One that is being closed may still bring what its follower hears of from the next.
                if (watch !== started)
                    return;
                if (started.position !== undefined)
                    started.position = position;
                deps.onChange(change, position);
            },
            onCaughtUp(position) {
                if (watch !== started)
                    return;
                const wasReady = started.position !== undefined;
                started.position = position;
                for (const subscriber of all()) {
                    if (wasReady)
                        subscriber.onCaughtUp?.(position);
                    else
                        subscriber.onReady(position);
                }
            },
            onBroken(error) {
                started.position = undefined;
                deps.onBroken(error);
            },
        };
        const started = { position: undefined, ...deps.watch(follower) };
        return started;
    };
    const stopWatch = async () => {
        const stopped = watch;
        watch = undefined;
        await stopped?.close();
    };
    return {
        subscribe(subscriber) {
            const { accountId } = subscriber;
            const subscribers = byAccount.get(accountId) ?? new Set();
            byAccount.set(accountId, subscribers.add(subscriber));
            watch ??= startWatch();
            if (watch.position !== undefined)
                subscriber.onReady(watch.position);
            return () => {
                subscribers.delete(subscriber);
                if (subscribers.size === 0 && byAccount.get(accountId) === subscribers)
                    byAccount.delete(accountId);
                if (byAccount.size === 0)
                    void stopWatch();
            };
        },
        ofAccount: (accountId) => [...(byAccount.get(accountId) ?? [])],
        all,
        async close() {
            byAccount.clear();
            await stopWatch();
        },
    };
}
//# sourceMappingURL=shared-watch.js.map
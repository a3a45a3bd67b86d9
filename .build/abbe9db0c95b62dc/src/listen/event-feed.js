"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createEventFeed = createEventFeed;
const shared_watch_1 = require("../platform/shared-watch");
/** Ten batches. An entry is an id, a type and a position: about 300 bytes. */
const MAX_UNREAD = 1_000;
/** Accepted events, for any number of listeners. */
function createEventFeed(deps) {
    const watch = (0, shared_watch_1.createSharedWatch)({
        watch: (follower) => deps.listening.watch(follower),
        onChange(event, position) {
            for (const subscriber of watch.ofAccount(event.accountId))
                subscriber.onEvent(event, position);
        },
        onBroken: (error) => deps.logger.warn({ err: error }, 'the watch on events broke; streams resume when it is back'),
    });
    return {
        follow: (accountId) => follow(watch.subscribe, accountId),
        close: () => watch.close(),
    };
}
function follow(subscribe, accountId) {
    const unread = [];
    let isReady = false;
    let isOver = false;
    let wake = () => undefined;
    const end = () => {
        isOver = true;
        wake();
    };
    const push = (step) => {
        // Merges consecutive steps without an event.
        if (step.event === undefined && unread.at(-1)?.event === undefined)
            unread.pop();
        unread.push(step);
        if (unread.length > MAX_UNREAD)
            end();
        else
            wake();
    };
    const unsubscribe = subscribe({
        accountId,
        onReady(position) {
            if (isReady)
                end();
            isReady = true;
            push({ event: undefined, position });
        },
        onCaughtUp: (position) => push({ event: undefined, position }),
        onEvent: (event, position) => isReady && push({ event, position }),
    });
    async function* steps() {
        for (;;) {
            const step = unread.shift();
            if (isOver)
                return;
            if (step)
                yield step;
            else
                await new Promise((resolve) => (wake = resolve));
        }
    }
    return {
        steps: steps(),
        close() {
            unsubscribe();
            end();
        },
    };
}
//# sourceMappingURL=event-feed.js.map
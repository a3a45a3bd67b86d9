"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.followEvents = followEvents;
const eventsource_parser_1 = require("eventsource-parser");
const config_1 = require("../config");
const sleep_1 = require("../platform/sleep");
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;
/** Statuses after which asking again would get the same answer. */
const FINAL = new Set([400, 401, 403, 404]);
/**
 * An account's events, over as many connections as it takes: each resumes where the last one ended, after a wait that
 * doubles up to 30 s.
 *
 * @throws ConfigError when the API refuses for good, with what it said
 */
async function* followEvents(options) {
    let lastEventId;
    let waitMs = FIRST_WAIT_MS;
    while (!options.signal.aborted) {
        try {
            for await (const message of connect(options, lastEventId)) {
                waitMs = FIRST_WAIT_MS;
                const isFirst = lastEventId === undefined;
                lastEventId = message.id ?? lastEventId;
                if (message.event === 'end')
                    throw new config_1.ConfigError(endingOf(message));
                if (message.event === 'gap')
                    options.onNotice('events that came while disconnected may be missing');
                if (message.event === 'position' && isFirst)
                    options.onOpen();
                if (message.event === 'event')
                    yield JSON.parse(message.data);
            }
        }
        catch (error) {
            if (error instanceof config_1.ConfigError)
                throw error;
            if (options.signal.aborted)
                return;
            options.onNotice(`${said(error)}; trying again in ${(waitMs / 1_000).toFixed(1)} s`);
        }
        // So that the listeners of a restarted server don't all reconnect at once.
        await (0, sleep_1.sleep)(waitMs * (0.5 + Math.random() / 2), options.signal);
        waitMs = Math.min(2 * waitMs, MAX_WAIT_MS);
    }
}
async function* connect({ url, key, events, signal }, lastEventId) {
    const answer = await fetch(`${url}/api/v1/webhooks/listen?events=${encodeURIComponent(events)}`, {
        headers: { Authorization: `Bearer ${key}`, ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }) },
        signal,
    });
    if (!answer.ok || !answer.body)
        throw await refusal(answer);
    const messages = [];
    const parser = (0, eventsource_parser_1.createParser)({ onEvent: (message) => messages.push(message) });
    const decoder = new TextDecoder();
    for await (const chunk of answer.body) {
        parser.feed(decoder.decode(chunk, { stream: true }));
        yield* messages.splice(0);
    }
}
/** `The API key was revoked.` */
function endingOf({ data }) {
    const { reason } = JSON.parse(data);
    return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}
async function refusal(answer) {
    const { error } = (await answer.json().catch(() => ({})));
    const text = error ?? `the API answered ${answer.status}`;
    return FINAL.has(answer.status) ? new config_1.ConfigError(text) : new Error(text);
}
function said(error) {
    const cause = error.cause?.code;
    const text = error instanceof Error ? error.message : String(error);
    return cause === undefined ? text : `no connection (${cause})`;
}
//# sourceMappingURL=event-stream.js.map
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createListenStreams = createListenStreams;
const node_events_1 = require("node:events");
const node_stream_1 = require("node:stream");
const event_pattern_1 = require("../domain/event-pattern");
const open_streams_1 = require("../platform/open-streams");
const signature_1 = require("../sender/signature");
const listen_store_1 = require("./listen-store");
const MAX_PER_ACCOUNT = 5;
/** In one process: far fewer than its connections, so that calls still get one. */
const MAX_STREAMS = 2_000;
/** How soon a stream ends after its key was revoked or expired, or the process was told to stop. */
const LOOK_MS = 500;
/** Shorter than the time after which proxies close a silent connection (nginx: 60 s). */
const HEARTBEAT_MS = 15_000;
/** How long a client waits before it reconnects. */
const RETRY_MS = 1_000;
/**
 * Server-sent events of accepted events. One timer, with one query to the database each time, serves all streams of the
 * process.
 */
function createListenStreams(deps) {
    const streams = (0, open_streams_1.createOpenStreams)({
        lookMs: LOOK_MS,
        isAccepting: deps.isAccepting,
        end: ({ output }) => output.end(),
        async look(open) {
            const states = await deps.keys.statesOf(open.map(({ keyId }) => keyId)).catch(() => undefined);
            // While MongoDB is away nobody knows the state of a key; until then no events are sent either.
            if (!states)
                return;
            for (const { keyId, output } of open) {
                const state = states.get(keyId) ?? 'revoked';
                if (state !== 'active')
                    output.end(`event: end\ndata: ${JSON.stringify({ reason: WHY_IT_ENDS[state] })}\n\n`);
            }
        },
    });
    return {
        /**
         * A stream that ends when the key is revoked or expires, when the process stops, and when MongoDB is away where the
         * stream has to catch up: the client reconnects with the id it has.
         *
         * @throws TooManyRequestsError when the account has as many as it can have
         */
        open(listener) {
            const own = [...streams.all].filter(({ accountId }) => accountId === listener.accountId);
            if (own.length >= MAX_PER_ACCOUNT) {
                throw (0, open_streams_1.tooManyStreams)(`This account has ${MAX_PER_ACCOUNT} streams open already. Close one first.`);
            }
            if (streams.all.size >= MAX_STREAMS)
                throw (0, open_streams_1.tooManyStreams)('This server has no room for another stream. Try again later.');
            const stream = {
                ...listener,
                output: new node_stream_1.PassThrough(),
                closing: new AbortController(),
                lastWriteAt: performance.now(),
                hasBegun: false,
            };
            streams.add(stream);
            const forget = () => {
                streams.delete(stream);
                stream.closing.abort();
            };
            stream.output.once('close', forget);
            stream.output.on('end', forget);
            stream.output.on('error', forget);
            stream.output.write(`retry: ${RETRY_MS}\n\n`);
            void run(deps, stream).catch((error) => {
                deps.logger.info({ err: error, account_id: listener.accountId }, 'a stream of events ended');
                stream.output.end();
            });
            return stream.output;
        },
        async close() {
            streams.close();
            await deps.feed.close();
        },
    };
}
const WHY_IT_ENDS = {
    revoked: 'the API key was revoked',
    expired: 'the API key expired',
    suspended: 'the account was suspended',
};
/** Sends what came since the client's last id, and then what follows. */
async function run(deps, stream) {
    const { signal } = stream.closing;
    let position = stream.lastEventId;
    while (!signal.aborted) {
        const tail = deps.feed.follow(stream.accountId);
        const close = () => tail.close();
        signal.addEventListener('abort', close);
        try {
            let isBegin = true;
            for await (const step of tail.steps) {
                if (isBegin && position !== undefined)
                    position = await catchUp(deps, stream, position, step.position);
                isBegin = false;
                // The client may be ahead of this process's watch: after another process, or after catching up.
                const isTold = position !== undefined && step.position <= position;
                if (!isTold)
                    ({ position } = step);
                else if (step.event)
                    continue;
                await tell(deps, stream, { event: step.event, position: position });
            }
        }
        finally {
            signal.removeEventListener('abort', close);
            close();
        }
    }
}
/** @returns how far the client was told; undefined where nobody knows what came behind it */
async function catchUp(deps, stream, from, until) {
    try {
        const missed = deps.listening.between(stream.accountId, from, until, stream.closing.signal);
        let reached = from;
        for await (const step of missed) {
            await tell(deps, stream, step);
            reached = step.position;
        }
        return reached;
    }
    catch (error) {
        if (!(error instanceof listen_store_1.PositionLostError))
            throw error;
        // It resumes from now, and says so.
        await write(stream, 'event: gap\ndata: {"reason":"events between the last one and now may be missing"}\n\n');
        stream.hasBegun = false;
        return undefined;
    }
}
async function tell({ listening }, stream, { event, position }) {
    const isWanted = event && stream.patterns.some((pattern) => (0, event_pattern_1.matchesEventType)(pattern, event.type));
    const found = isWanted ? await listening.find(event.id) : null;
    if (found) {
        await write(stream, `id: ${position}\nevent: event\ndata: ${JSON.stringify(toldOf(found))}\n\n`);
    }
    else if (!stream.hasBegun || performance.now() - stream.lastWriteAt > HEARTBEAT_MS) {
        // Also sent first: from here on nothing is missed.
        await write(stream, `id: ${position}\nevent: position\ndata: {}\n\n`);
    }
    stream.hasBegun = true;
}
/** As JSON text, because a body may hold line ends, which an event stream would change. */
function toldOf({ _id: id, type, data, timestamp }) {
    const body = (0, signature_1.composeBody)({ id, type, data: Buffer.from(data.value()), timestamp }).toString('utf8');
    return { id, type, timestamp, body };
}
/** Waits for a slow client: the database keeps what it has not read yet. */
async function write(stream, text) {
    const { output, closing } = stream;
    if (output.writableEnded || output.destroyed)
        return;
    stream.lastWriteAt = performance.now();
    if (!output.write(text))
        await (0, node_events_1.once)(output, 'drain', { signal: closing.signal });
}
//# sourceMappingURL=listen-streams.js.map
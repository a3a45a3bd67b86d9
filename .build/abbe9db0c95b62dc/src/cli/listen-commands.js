"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addListenCommand = addListenCommand;
exports.listen = listen;
const config_1 = require("../config");
const raw_json_1 = require("../domain/raw-json");
const signature_1 = require("../sender/signature");
const event_stream_1 = require("./event-stream");
const forward_event_1 = require("./forward-event");
/** `everpost listen`: over HTTP with an API key, unlike the operator's commands. */
function addListenCommand(cli, config, print) {
    cli
        .command('listen')
        .description('forward events to a receiver on this machine as they are accepted')
        .requiredOption('--forward <url>', 'where the receiver listens, such as http://localhost:3000/hook')
        .requiredOption('--key <key>', 'API key of Webhook Reliability')
        .option('--events <patterns>', 'which events: patterns separated by commas', '*')
        .option('--url <url>', 'address of the Everpost API', `http://127.0.0.1:${config.port}`)
        .option('--secret <secret>', "your receiver's signing secret (default: a new one, printed first)")
        .option('--replay <id...>', 'forward these events once, and exit')
        .action(async (options) => {
        const stop = new AbortController();
        const onSignal = () => stop.abort();
        process.once('SIGINT', onSignal);
        process.once('SIGTERM', onSignal);
        await listen(options, print, stop.signal);
    });
}
/** @throws ConfigError when the options can't be used, or the API refuses for good */
async function listen(options, print, signal) {
    requireUrl(options.forward, '--forward');
    requireUrl(options.url, '--url');
    const url = options.url.replace(/\/+$/, '');
    const secret = options.secret ?? (0, signature_1.generateSigningSecret)();
    let needsHint = options.secret === undefined;
    const forward = async (event) => {
        const forwarded = await (0, forward_event_1.forwardEvent)(event, options.forward, secret);
        print(lineOf(event, forwarded));
        if (!needsHint || forwarded.status !== 401)
            return;
        needsHint = false;
        print('… the receiver answered 401: it probably checks signatures with another secret; pass that one with --secret');
    };
    print(`Signing secret: ${secret}${options.secret === undefined ? '  (keep it with --secret)' : ''}`);
    if (options.replay) {
        for (const id of options.replay)
            await forward(await readEvent(url, options.key, id));
        return;
    }
    const stream = (0, event_stream_1.followEvents)({
        url,
        key: options.key,
        events: options.events,
        signal,
        onNotice: (text) => print(`… ${text}`),
        onOpen: () => print(`Forwarding ${options.events} to ${options.forward} (Ctrl-C ends it)`),
    });
    // One after the other: the receiver sees them in their order.
    for await (const event of stream)
        await forward(event);
}
/** An event of the account, with its data as they were sent. */
async function readEvent(url, key, id) {
    const path = `/api/v1/webhooks/events/${encodeURIComponent(id)}`;
    const answer = await fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${key}` } });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const event = JSON.parse(bytes.toString());
    const data = (0, raw_json_1.scanJson)(bytes).members.find(({ name }) => name === 'data');
    if (!answer.ok || !data)
        throw new config_1.ConfigError(`Event ${id}: ${event.error ?? `the API answered ${answer.status}`}`);
    const body = (0, signature_1.composeBody)({ ...event, data: bytes.subarray(data.start, data.end) });
    return { ...event, body: body.toString('utf8') };
}
/** `12:00:01  200  order.created  1001  8 ms` */
function lineOf({ id, type }, { status, error, latencyMs }) {
    const time = new Date().toTimeString().slice(0, 8);
    return `${time}  ${status ?? 'no answer'}  ${type}  ${id}  ${latencyMs} ms${error === null ? '' : `  ${error}`}`;
}
function requireUrl(text, option) {
    if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
        throw new config_1.ConfigError(`${option} must be a URL such as http://localhost:3000/hook.`);
    }
}
//# sourceMappingURL=listen-commands.js.map
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const node_crypto_1 = require("node:crypto");
const node_http_1 = require("node:http");
const statistics_1 = require("./statistics");
const { url, key, dataBytes } = JSON.parse(process.argv[2]);
const agent = new node_http_1.Agent({ keepAlive: true, maxSockets: 256 });
const data = { order_id: 'ord_0123456789', total: 19.99, text: 'x'.repeat(Math.max(0, dataBytes - 60)) };
process.on('message', (task) => {
    const sending = task.kind === 'burst' ? burst(task.count, task.concurrency) : openLoop(task.perSecond, task.seconds);
    sending.then((ingested) => process.send?.({ kind: 'ingested', ingested }), (error) => {
        console.error(error instanceof Error ? error.message : error);
        process.exit(1);
    });
});
process.on('disconnect', () => process.exit(0));
async function burst(count, concurrency) {
    const done = [];
    let left = count;
    const lane = async () => {
        while (left-- > 0)
            done.push(await post());
    };
    await Promise.all(Array.from({ length: concurrency }, lane));
    return done;
}
function openLoop(perSecond, seconds) {
    return new Promise((resolve, reject) => {
        const posts = [];
        const startedAt = performance.now();
        const timer = setInterval(() => {
            const due = Math.min(perSecond * seconds, Math.floor(((performance.now() - startedAt) / 1_000) * perSecond));
            while (posts.length < due)
                posts.push(post());
            if (posts.length < perSecond * seconds)
                return;
            clearInterval(timer);
            Promise.all(posts).then(resolve, reject);
        }, 5);
    });
}
function post() {
    const body = JSON.stringify({ type: 'order.created', idempotency_key: (0, node_crypto_1.randomUUID)(), data });
    const headers = {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
    };
    return new Promise((resolve, reject) => {
        const sentAtMs = (0, statistics_1.preciseNowMs)();
        const outgoing = (0, node_http_1.request)(`${url}/api/v1/webhooks/events`, { method: 'POST', agent, headers }, (response) => {
            const chunks = [];
            response.on('data', (chunk) => chunks.push(chunk));
            response.on('end', () => {
                const text = Buffer.concat(chunks).toString();
                if (response.statusCode !== 202)
                    return reject(new Error(`ingest answered ${response.statusCode}: ${text}`));
                resolve({ eventId: JSON.parse(text).id, sentAtMs, latencyMs: (0, statistics_1.preciseNowMs)() - sentAtMs });
            });
        });
        outgoing.once('error', reject);
        outgoing.end(body);
    });
}
//# sourceMappingURL=load-process.js.map
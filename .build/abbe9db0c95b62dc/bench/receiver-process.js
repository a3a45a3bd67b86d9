"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const node_https_1 = require("node:https");
const statistics_1 = require("./statistics");
/** When each delivery arrived first, as `<event id><path>`, and which ones were answered 200. */
const arrivals = new Map();
const answered = new Set();
process.on('message', (request) => {
    if (request.kind === 'arrivals') {
        process.send?.({ kind: 'arrivals', arrivals: [...arrivals], answered: answered.size });
        return;
    }
    const failEvery = request.failing === 0 ? Infinity : Math.round(1 / request.failing);
    const answering = (0, node_https_1.createServer)({ key: request.key, cert: request.cert }, (incoming, response) => {
        const eventId = Number(incoming.headers['x-webhook-id']);
        const delivery = `${eventId}${incoming.url}`;
        const isFirst = !arrivals.has(delivery);
        if (isFirst)
            arrivals.set(delivery, (0, statistics_1.preciseNowMs)());
        const fails = isFirst && eventId % failEvery === 0;
        if (!fails)
            answered.add(delivery);
        incoming.resume();
        incoming.on('end', () => response.writeHead(fails ? 500 : 200, { 'Content-Length': '2' }).end('ok'));
    });
    const hanging = Array.from({ length: request.hanging }, () => (0, node_https_1.createServer)({ key: request.key, cert: request.cert }, (incoming) => void incoming.resume()));
    void Promise.all([answering, ...hanging].map(portOf)).then((ports) => process.send?.({ kind: 'listening', ports }));
});
function portOf(server) {
    return new Promise((resolve) => {
        server.listen(0, '127.0.0.1', () => resolve(server.address().port));
    });
}
process.on('disconnect', () => process.exit(0));
//# sourceMappingURL=receiver-process.js.map
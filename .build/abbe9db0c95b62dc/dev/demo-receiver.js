"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.startDemoReceiver = startDemoReceiver;
const node_https_1 = require("node:https");
/** @param answers statuses in order; the last one is repeated */
async function startDemoReceiver(certificate, answers) {
    const arrivals = [];
    const server = (0, node_https_1.createServer)(certificate, (request, response) => {
        const atMs = Date.now();
        const chunks = [];
        request.on('data', (chunk) => chunks.push(chunk));
        request.on('end', () => {
            const answered = answers[arrivals.length] ?? answers.at(-1);
            arrivals.push({ atMs, headers: request.headers, body: Buffer.concat(chunks), answered });
            response
                .writeHead(answered, { 'Content-Type': 'text/plain' })
                .end(answered < 300 ? 'thank you\n' : 'try again\n');
        });
    });
    await new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(0, '127.0.0.1', resolve);
    });
    const target = `127.0.0.1:${server.address().port}`;
    return {
        url: `https://${target}/webhooks`,
        target,
        arrivals,
        close: () => new Promise((resolve) => {
            server.close(() => resolve());
            server.closeAllConnections();
        }),
    };
}
//# sourceMappingURL=demo-receiver.js.map
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.startInbox = startInbox;
const node_http_1 = require("node:http");
const node_https_1 = require("node:https");
const node_net_1 = require("node:net");
const inbox_log_1 = require("./inbox-log");
const inbox_page_1 = require("./inbox-page");
/** A delivered body is at most 256 KiB of data and a little around it. */
const MAX_BODY_BYTES = 1024 * 1024;
/** First byte of a TLS connection: a handshake record. */
const TLS_HANDSHAKE = 0x16;
/**
 * Starts the inbox on 127.0.0.1. One port speaks both: HTTPS for deliveries, HTTP for the person who looks.
 *
 * @throws the system's error when no port can be had
 */
async function startInbox(options) {
    const log = (0, inbox_log_1.createInboxLog)(options.secretsFor);
    const sockets = new Set();
    let port = 0;
    const answer = (secure) => (request, response) => {
        handle(request, response, { log, secure, port }).catch(() => response.destroy());
    };
    const https = (0, node_https_1.createServer)({ ...options.certificate, minVersion: 'TLSv1.2' }, answer(true));
    const http = (0, node_http_1.createServer)(answer(false));
    const front = (0, node_net_1.createServer)((socket) => {
        sockets.add(socket);
        socket.on('error', () => socket.destroy());
        socket.once('close', () => sockets.delete(socket));
        socket.once('readable', () => {
            const first = socket.read(1);
            if (!first)
                return;
            socket.unshift(first);
            (first[0] === TLS_HANDSHAKE ? https : http).emit('connection', socket);
        });
    });
    port = await listenPreferring(front, options.preferredPort);
    return {
        endpointUrl: `https://127.0.0.1:${port}/`,
        pageUrl: `http://127.0.0.1:${port}/`,
        port,
        requests: () => log.list(),
        close: () => new Promise((resolve) => {
            front.close(() => resolve());
            for (const socket of sockets)
                socket.destroy();
        }),
    };
}
async function listenPreferring(server, preferred) {
    const listen = (port) => new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, '127.0.0.1', () => {
            server.off('error', reject);
            resolve(server.address().port);
        });
    });
    try {
        return await listen(preferred);
    }
    catch (error) {
        server.removeAllListeners('error');
        if (error.code !== 'EADDRINUSE')
            throw error;
        return listen(0);
    }
}
async function handle(request, response, context) {
    const { log, secure, port } = context;
    // A web page of somebody else that resolves its own name to 127.0.0.1 must not read what came.
    if (![`127.0.0.1:${port}`, `localhost:${port}`].includes(request.headers.host ?? '')) {
        return send(response, 421, 'text/plain', 'This is the inbox of 127.0.0.1.\n');
    }
    const path = request.url ?? '/';
    if (request.method === 'POST') {
        if (!secure)
            return send(response, 400, 'text/plain', 'Deliveries come over HTTPS.\n');
        return receive(request, response, path, log);
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.setHeader('Allow', 'GET, HEAD, POST');
        return send(response, 405, 'text/plain', 'GET shows what came; POST delivers.\n');
    }
    if (path === '/' || path === '/?still') {
        const page = (0, inbox_page_1.renderInboxPage)(`https://127.0.0.1:${port}/`, log.list(), path === '/');
        return send(response, 200, 'text/html', page);
    }
    if (path === '/inbox.css')
        return send(response, 200, 'text/css', inbox_page_1.INBOX_CSS);
    if (path === '/requests')
        return send(response, 200, 'application/json', JSON.stringify(log.list(), null, 2));
    return send(response, 404, 'text/plain', 'Look at / or /requests.\n');
}
async function receive(request, response, path, log) {
    const chunks = [];
    let bytes = 0;
    for await (const chunk of request) {
        bytes += chunk.length;
        if (bytes > MAX_BODY_BYTES) {
            response.setHeader('Connection', 'close');
            return send(response, 413, 'text/plain', 'At most 1 MiB.\n');
        }
        chunks.push(chunk);
    }
    const status = Number(/^\/status\/([2-5]\d\d)$/.exec(path)?.[1] ?? 200);
    log.add({ path, answered: status, headers: request.headers, body: Buffer.concat(chunks) });
    send(response, status, 'application/json', JSON.stringify({ received: true, status }));
}
function send(response, status, type, body) {
    response.writeHead(status, { ...inbox_page_1.INBOX_SECURITY_HEADERS, 'Content-Type': `${type}; charset=utf-8` });
    response.end(body);
}
//# sourceMappingURL=inbox.js.map
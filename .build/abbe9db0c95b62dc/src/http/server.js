"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.listen = listen;
const node_http_1 = require("node:http");
const http_server_1 = require("../platform/http-server");
const ids_1 = require("../platform/ids");
const DRAIN_MS = 10_000;
/**
 * Listens.
 *
 * @throws the system's error (`EADDRINUSE`, `EACCES`) when the port can't be had
 */
async function listen(app, { host, port, ...limits }, headersFor) {
    const respond = app.callback();
    const latest = new WeakMap();
    const handle = (request, response) => {
        const { socket } = request;
        latest.set(socket, response);
        // A streamed answer has a dozen listeners of ours, Koa's and Node's: that is no leak.
        response.setMaxListeners(20);
        // An idle connection would keep its last request, headers and all.
        response.once('close', () => {
            if (request.complete && latest.get(socket) === response)
                latest.delete(socket);
        });
        void respond(request, response);
    };
    const server = (0, http_server_1.createLimitedServer)(handle, limits);
    // Expectations that nobody knows are ignored, as RFC 9110 allows; Node would answer without a body.
    server.on('checkExpectation', handle);
    server.on('clientError', (error, socket) => answerMalformed(error, { socket, headers: headersFor(socket) }, latest.get(socket)));
    server.on('connect', (_request, socket) => sendError({ socket, headers: headersFor(socket) }, MALFORMED_REQUEST));
    await new Promise((resolve, reject) => {
        server.once('error', reject);
        // The backlog is as long as the limit: with Node's 511, the system would reset some connections of a burst.
        server.listen({ port, host, backlog: limits.maxConnections }, resolve);
    });
    const { port: actualPort } = server.address();
    const shown = host.includes(':') ? `[${host}]` : host;
    return { url: `http://${shown}:${actualPort}`, close: () => close(server) };
}
function close(server) {
    return new Promise((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
        server.close(() => {
            clearTimeout(timer);
            resolve();
        });
        server.closeIdleConnections();
    });
}
const MALFORMED_REQUEST = {
    status: 400,
    code: 'malformed_request',
    message: 'This is not a valid HTTP request.',
};
const MALFORMED = {
    HPE_HEADER_OVERFLOW: { status: 431, code: 'headers_too_large', message: 'The request headers are too large.' },
    ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'request_timeout', message: 'The request did not arrive in time.' },
};
/**
 * What is not HTTP never reaches the application; it gets the same form of error.
 *
 * @param latest the answer to the last request on the socket that began well
 */
function answerMalformed(error, peer, latest) {
    const { socket, headers } = peer;
    if (!socket.writable || error.code === 'ECONNRESET') {
        socket.destroy();
        return;
    }
    const malformation = MALFORMED[error.code ?? ''] ?? MALFORMED_REQUEST;
    if (!latest || (latest.writableFinished && latest.req.complete)) {
        sendError(peer, malformation);
    }
    else if (!latest.req.complete && !latest.headersSent) {
        // The body went wrong: this is the answer to its request. Of the headers that it has by now the limits stay; the
        // others (Content-Length, Location, …) may be of an answer that was about to be sent.
        for (const name of latest.getHeaderNames())
            if (!name.startsWith('x-'))
                latest.removeHeader(name);
        const requestId = String(latest.getHeader('X-Request-Id') ?? (0, ids_1.newId)('req'));
        const body = bodyOf(malformation, requestId);
        latest.writeHead(malformation.status, node_http_1.STATUS_CODES[malformation.status], {
            ...(!latest.hasHeader('X-RateLimit-Limit') && headers),
            'Content-Type': JSON_TYPE,
            'Content-Length': Buffer.byteLength(body),
            'X-Request-Id': requestId,
            Connection: 'close',
        });
        latest.end(body);
    }
    else if (latest.writableFinished) {
        socket.destroy();
    }
    else {
        // An answer is being sent: anything written now would become part of it.
        latest.once('finish', () => socket.end());
    }
}
const JSON_TYPE = 'application/json; charset=utf-8';
function bodyOf({ message, code }, requestId) {
    return JSON.stringify({ error: message, code, request_id: requestId });
}
/** Answers on a bare socket, and closes it. */
function sendError({ socket, headers }, malformation) {
    const requestId = (0, ids_1.newId)('req');
    const body = bodyOf(malformation, requestId);
    socket.end(`HTTP/1.1 ${malformation.status} ${node_http_1.STATUS_CODES[malformation.status]}\r\nContent-Type: ${JSON_TYPE}\r\n` +
        `${Object.entries({ ...headers, 'X-Request-Id': requestId })
            .map(([name, value]) => `${name}: ${value}\r\n`)
            .join('')}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
}
//# sourceMappingURL=server.js.map
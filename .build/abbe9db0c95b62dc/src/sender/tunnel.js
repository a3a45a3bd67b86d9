"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.openTunnel = openTunnel;
const node_http_1 = require("node:http");
const node_https_1 = require("node:https");
const node_net_1 = require("node:net");
const address_guard_1 = require("./address-guard");
const classify_failure_1 = require("./classify-failure");
/** With a challenge, as RFC 9110 (15.5.8) wants it, the credentials are wrong. Smokescreen refuses destinations with it, without one. */
const PROXY_AUTHENTICATION_REQUIRED = 407;
/**
 * Opens a tunnel to a receiver by the proxy's CONNECT method (RFC 9110, 9.3.6), on a connection of its own.
 *
 * @returns a stream whose other end is the receiver
 * @throws TunnelRefusedError when the proxy was connected and did not open one. Some proxies hang up where the receiver
 *   can't be reached, so that counts, or a dead receiver's deliveries would be tried for ever.
 * @throws LocalFaultError when the proxy can't be used: not reached, no HTTP, wrong credentials. Its words name neither
 *   the proxy nor its credentials.
 */
function openTunnel({ proxy, trust, host, port, signal, onProxyConnected }) {
    const { url, authorization } = proxy;
    const name = (0, address_guard_1.hostnameOf)(url);
    const isSecure = url.protocol === 'https:';
    const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    return new Promise((resolve, reject) => {
        let isConnected = false;
        const request = (isSecure ? node_https_1.request : node_http_1.request)({
            method: 'CONNECT',
            host: name,
            port: (0, address_guard_1.portOf)(url),
            path: target,
            headers: { Host: target, ...(authorization !== undefined && { 'Proxy-Authorization': authorization }) },
            agent: false,
            // Node would take the server's name from the header Host, which is the receiver's.
            ...(isSecure && { secureContext: trust, rejectUnauthorized: true, servername: (0, node_net_1.isIP)(name) ? '' : name }),
            signal,
        });
        request.once('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', () => {
            isConnected = true;
            onProxyConnected();
        }));
        request.once('connect', ({ statusCode = 0, headers: answered }, socket, head) => {
            if (statusCode >= 200 && statusCode <= 299) {
                if (head.length > 0)
                    socket.unshift(head);
                return resolve(socket);
            }
            socket.destroy();
            const isOurs = statusCode === PROXY_AUTHENTICATION_REQUIRED && 'proxy-authenticate' in answered;
            reject(isOurs ? proxyFault('it refused the credentials (407)') : new classify_failure_1.TunnelRefusedError(statusCode));
        });
        request.on('error', (error) => reject(isConnected && (0, classify_failure_1.isReset)(error) ? new classify_failure_1.TunnelRefusedError() : proxyFault(error.code ?? error.name)));
        request.end();
    });
}
function proxyFault(reason) {
    return new classify_failure_1.LocalFaultError(`the egress proxy (DELIVERY_PROXY) can't be used: ${reason}`);
}
//# sourceMappingURL=tunnel.js.map
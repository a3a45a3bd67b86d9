"use strict";
var __importDefault = (this && this.__importDefault) || function (mod) {
    return (mod && mod.__esModule) ? mod : { "default": mod };
};
Object.defineProperty(exports, "__esModule", { value: true });
exports.UNKNOWN_PROXY = void 0;
exports.createClientAddress = createClientAddress;
exports.peerAddress = peerAddress;
exports.createUnknownProxyWatch = createUnknownProxyWatch;
const ipaddr_js_1 = __importDefault(require("ipaddr.js"));
/**
 * Finds out where a request comes from.
 *
 * Behind proxies it is the rightmost address of `X-Forwarded-For` outside the trusted ranges, and only if the peer
 * itself is trusted: everything further left was written by the client and can be a lie.
 *
 * @param trustedProxies CIDR ranges
 * @param onUnknownProxy told the address of a peer that forwards and is not trusted
 */
function createClientAddress(trustedProxies, onUnknownProxy) {
    const ranges = trustedProxies.map((range) => ipaddr_js_1.default.parseCIDR(range));
    const isTrusted = (address) => ranges.some(([network, bits]) => network.kind() === address.kind() && address.match([network, bits]));
    /** The peer of each connection, so that its address is not parsed again for each request. */
    const peers = new WeakMap();
    const peerOf = ({ socket }) => {
        let peer = peers.get(socket);
        if (!peer) {
            const address = socket.remoteAddress ?? '';
            const trusted = ranges.length > 0 && ipaddr_js_1.default.isValid(address) && isTrusted(ipaddr_js_1.default.process(address));
            peer = { address: normalise(address), trusted };
            peers.set(socket, peer);
        }
        return peer;
    };
    return (ctx) => {
        const peer = peerOf(ctx.req);
        if (!peer.trusted) {
            const { headers } = ctx.req;
            if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined)
                onUnknownProxy(peer.address);
            return peer.address;
        }
        const forwarded = ctx
            .get('X-Forwarded-For')
            .split(',')
            .map((part) => part.trim());
        for (const address of forwarded.reverse()) {
            if (!ipaddr_js_1.default.isValid(address))
                break;
            if (!isTrusted(ipaddr_js_1.default.process(address)))
                return normalise(address);
        }
        return peer.address;
    };
}
/** The peer of a connection whose headers could not be read: a proxy, where there is one. */
function peerAddress({ remoteAddress = '' }) {
    return normalise(remoteAddress);
}
/** One spelling for each client. An IPv6 client is its /64: it usually owns all addresses of it. */
function normalise(address) {
    if (!ipaddr_js_1.default.isValid(address))
        return address;
    const parsed = ipaddr_js_1.default.process(address);
    if (parsed.kind() === 'ipv4')
        return parsed.toString();
    return `${parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`;
}
/** Anybody can read it, so it names no address. */
exports.UNKNOWN_PROXY = 'Requests are forwarded by a proxy that TRUSTED_PROXIES does not name; the log says which. Its clients share one limit.';
/** Any client can send the header, so the warning is rare and ends. */
const HOLDS_MS = 3_600_000;
/**
 * Notices a proxy that `TRUSTED_PROXIES` does not name: all of its clients count as one. Logs it, at most once an hour.
 */
function createUnknownProxyWatch({ logger, clock }) {
    let notedAt = Number.NEGATIVE_INFINITY;
    let saidAt = Number.NEGATIVE_INFINITY;
    return {
        /** Notes that an untrusted peer sent a forwarding header. */
        note(peer) {
            notedAt = clock();
            if (notedAt - saidAt < HOLDS_MS)
                return;
            saidAt = notedAt;
            logger.warn({ peer }, 'a peer that TRUSTED_PROXIES does not name says for whom it forwards: if it is your proxy, name it, or all of ' +
                'its clients share one limit of failed sign-ins and keys; if it is a client, nothing is wrong');
        },
        /** Whether one was noticed in the last hour. */
        isThere: () => clock() - notedAt < HOLDS_MS,
    };
}
//# sourceMappingURL=client-address.js.map
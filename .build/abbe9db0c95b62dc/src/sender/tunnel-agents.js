"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.tunnelThrough = tunnelThrough;
const node_https_1 = require("node:https");
const tunnel_1 = require("./tunnel");
/**
 * Has an agent open its connections through a proxy. TLS to the receiver goes through the tunnel, from end to end; the
 * agent keeps such connections, and resumes their sessions, like others.
 */
function tunnelThrough(agent, through) {
    const connecting = agent;
    const isSecure = agent instanceof node_https_1.Agent;
    const connect = connecting.createConnection.bind(agent);
    connecting.createConnection = (options, callback) => {
        const { host, port, tunnel } = options;
        (0, tunnel_1.openTunnel)({ ...through, host, port, ...tunnel })
            // With a socket of ours Node's own agent only does the rest: TLS with the receiver.
            .then((socket) => (isSecure ? connect({ ...options, socket }) : socket))
            .then((stream) => callback(null, stream), (error) => callback(error));
        return undefined;
    };
}
//# sourceMappingURL=tunnel-agents.js.map
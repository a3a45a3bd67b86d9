"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.PortTakenError = void 0;
exports.onFreePorts = onFreePorts;
exports.freePort = freePort;
exports.isPortFree = isPortFree;
const node_net_1 = require("node:net");
const local_stack_error_1 = require("./local-stack-error");
const TRIES = 3;
/** Somebody took a port of a server before it could. */
class PortTakenError extends local_stack_error_1.LocalStackError {
}
exports.PortTakenError = PortTakenError;
/**
 * Starts something on free ports, again on others when somebody took one before it could.
 *
 * @param start picks its ports anew each time
 * @param wasTaken whether that is why it did not start (a `PortTakenError` unless given); any other failure would only
 *   repeat itself
 * @throws what the start throws, when it is something else or the third time
 */
async function onFreePorts(start, wasTaken = (error) => error instanceof PortTakenError) {
    for (let left = TRIES;; left -= 1) {
        try {
            return await start();
        }
        catch (error) {
            if (left === 1 || !wasTaken(error))
                throw error;
        }
    }
}
/** A TCP port on 127.0.0.1 that was free a moment ago; another process can take it before it is used. */
async function freePort() {
    return listenOnce(0);
}
/** Whether a TCP port can be listened on now. */
async function isPortFree(port, host = '127.0.0.1') {
    return listenOnce(port, host).then(() => true, () => false);
}
function listenOnce(port, host = '127.0.0.1') {
    return new Promise((resolve, reject) => {
        const server = (0, node_net_1.createServer)();
        server.once('error', reject);
        server.listen(port, host, () => {
            const address = server.address();
            server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
        });
    });
}
//# sourceMappingURL=free-port.js.map
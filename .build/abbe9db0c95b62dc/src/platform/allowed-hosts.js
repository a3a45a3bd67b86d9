"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createHostCheck = createHostCheck;
const node_net_1 = require("node:net");
/**
 * Knows the names of this server. Addresses and `localhost` always are some: a page of another site that makes its own
 * name lead here (DNS rebinding) comes with that name.
 *
 * @param names host names without a port, in lower case; `.example.com` is every name below it, `*` is every name
 */
function createHostCheck(names) {
    const isNamed = (name) => names.some((allowed) => allowed === '*' || allowed === name || (allowed.startsWith('.') && name.endsWith(allowed)));
    return (host) => {
        const name = nameOf(host);
        if (name === undefined)
            return false;
        return (0, node_net_1.isIP)(name) !== 0 || name === 'localhost' || name.endsWith('.localhost') || isNamed(name);
    };
}
/** The name in a Host header, without port, brackets and a dot at its end; undefined for what is no host. */
function nameOf(host) {
    const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::\d*)?$/.exec(host.toLowerCase()) ?? [];
    return bracketed ?? plain?.replace(/\.$/, '');
}
//# sourceMappingURL=allowed-hosts.js.map
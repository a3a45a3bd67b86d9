"use strict";
var __importDefault = (this && this.__importDefault) || function (mod) {
    return (mod && mod.__esModule) ? mod : { "default": mod };
};
Object.defineProperty(exports, "__esModule", { value: true });
exports.isPublicAddress = isPublicAddress;
exports.createAddressGuard = createAddressGuard;
exports.hostnameOf = hostnameOf;
exports.portOf = portOf;
const node_net_1 = require("node:net");
const ipaddr_js_1 = __importDefault(require("ipaddr.js"));
/** Azure's metadata and DNS service answers here, in a range that looks public. */
const AZURE_WIRE_SERVER = '168.63.129.16';
/** All that is assigned for global unicast (RFC 4291, 2.4; IANA): everything else is special or not in use. */
const GLOBAL_UNICAST_IPV6 = ipaddr_js_1.default.parseCIDR('2000::/3');
/** Names that mean this machine or a cloud's metadata service wherever they are looked up (RFC 6761 and vendors). */
const LOCAL_NAMES = new Set([
    'localhost',
    'localhost.localdomain',
    'ip6-localhost',
    'ip6-loopback',
    'metadata.google.internal',
    'metadata.goog',
    'instance-data.ec2.internal',
]);
/**
 * Whether an address is one of the public Internet.
 *
 * False for everything special: private, loopback, link-local, shared, documentation, benchmarking, multicast,
 * reserved; and for every IPv6 form that carries an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo, ISATAP),
 * public or not, because what is behind such an address is decided by somebody's gateway. Anything that is not
 * the plain text of an address, such as one with a zone id, is not public.
 */
function isPublicAddress(address) {
    // net.isIP is strict; ipaddr.js alone would take "0x7f.1" and "127.1" as addresses.
    if ((0, node_net_1.isIP)(address) === 0 || address.includes('%'))
        return false;
    const parsed = ipaddr_js_1.default.parse(address);
    if (parsed.range() !== 'unicast' || address === AZURE_WIRE_SERVER)
        return false;
    return parsed.kind() === 'ipv4' || isPlainGlobalIpv6(parsed);
}
function isPlainGlobalIpv6(address) {
    // ISATAP (RFC 5214, 6.1): an interface identifier of 5efe and an IPv4 address, whatever the prefix.
    const isatap = (address.parts[4] & 0xfdff) === 0 && address.parts[5] === 0x5efe;
    return address.match(GLOBAL_UNICAST_IPV6) && !isatap;
}
/** Makes the guard for one policy. */
function createAddressGuard(policy) {
    const cidrs = policy.allowCidrs.map((range) => ipaddr_js_1.default.parseCIDR(range));
    const denied = policy.denyCidrs.map((range) => ipaddr_js_1.default.parseCIDR(range));
    const targets = new Set(policy.allowTargets.map(canonicalTarget));
    const isTarget = (address, port) => targets.size > 0 && (0, node_net_1.isIP)(address) !== 0 && targets.has(canonicalTarget(`${address}:${port}`));
    const portAllowed = (port) => policy.allowPorts.some(({ from, to }) => port >= from && port <= to);
    // ::ffff:a.b.c.d reaches a.b.c.d.
    const deniesAddress = (address) => denied.some((cidr) => contains(cidr, address) || contains(cidr, unmapped(address)));
    const addressAllowed = (address) => !deniesAddress(address) && (isPublicAddress(address) || cidrs.some((cidr) => contains(cidr, address)));
    return {
        judgeUrl(url) {
            const host = hostnameOf(url);
            const port = portOf(url);
            if ((0, node_net_1.isIP)(host) !== 0 && isTarget(host, port))
                return undefined;
            if ((0, node_net_1.isIP)(host) !== 0 && deniesAddress(host))
                return refusedHost(url);
            // The host first: whoever registers https://localhost:3000/ has to know that no port would help.
            if (isLocalName(host) || ((0, node_net_1.isIP)(host) !== 0 && !addressAllowed(host)))
                return nonPublicHost(url);
            return portAllowed(port) ? undefined : refusedPort(port, policy);
        },
        deniesAddress,
        allowsAddress: (address, port) => isTarget(address, port) || (portAllowed(port) && addressAllowed(address)),
    };
}
/** The host as a socket wants it: IPv6 without brackets. */
function hostnameOf(url) {
    return url.hostname.replace(/^\[(.*)\]$/, '$1');
}
/** The port that is connected to. */
function portOf(url) {
    return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}
function isLocalName(host) {
    const name = host.toLowerCase().replace(/\.$/, '');
    return LOCAL_NAMES.has(name) || name.endsWith('.localhost');
}
function contains([network, bits], address) {
    if ((0, node_net_1.isIP)(address) === 0 || address.includes('%'))
        return false;
    const parsed = ipaddr_js_1.default.parse(address);
    return parsed.kind() === network.kind() && parsed.match(network, bits);
}
/** The IPv4 address in an IPv4-mapped IPv6 address; any other text as it is. */
function unmapped(address) {
    return (0, node_net_1.isIP)(address) === 6 && !address.includes('%') ? ipaddr_js_1.default.process(address).toString() : address;
}
/** One spelling for each `address:port`, with or without brackets around IPv6. */
function canonicalTarget(target) {
    const colon = target.lastIndexOf(':');
    const address = target.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
    return `${(0, node_net_1.isIPv4)(address) ? address : ipaddr_js_1.default.parse(address).toNormalizedString()} ${target.slice(colon + 1)}`;
}
function refusedHost(url) {
    return {
        code: 'refused_host',
        message: `The host ${url.hostname} is one that this installation does not deliver to.`,
    };
}
function nonPublicHost(url) {
    return {
        code: 'non_public_host',
        message: `The host ${url.hostname} is not on the public Internet; deliveries go to public addresses only.`,
    };
}
function refusedPort(port, policy) {
    const allowed = policy.allowPorts.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
    return { code: 'refused_port', message: `Port ${port} is not allowed; the ports of destinations are ${allowed}.` };
}
//# sourceMappingURL=address-guard.js.map
import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { AddressPolicy } from '../config';

/** Azure's metadata and DNS service has this address, in a range that looks public. */
const AZURE_WIRE_SERVER = '168.63.129.16';

/** All addresses assigned for global unicast (RFC 4291, 2.4; IANA): everything else is special or unused. */
const GLOBAL_UNICAST_IPV6 = ipaddr.parseCIDR('2000::/3');

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
 * The ends of names that no public name server knows, and private ones do: machines, containers and clusters (RFC 6761,
 * RFC 6762 with appendix G, RFC 8375, ICANN's reservation of `internal`, Kubernetes).
 */
const PRIVATE_ENDS = [
  ...['local', 'internal', 'svc', 'localdomain', 'intranet', 'private', 'corp', 'home', 'lan'],
  ...['home.arpa', 'in-addr.arpa', 'ip6.arpa'],
];

/** Why a URL's host or port can't be used; `message` may be shown to the caller. */
export interface TargetRefusal {
  readonly code: 'refused_port' | 'refused_host' | 'non_public_host';
  readonly message: string;
}

/**
 * Whether an address is one of the public Internet.
 *
 * False for everything special: private, loopback, link-local, shared, documentation, benchmarking, multicast,
 * reserved. False also for every IPv6 form that carries an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo,
 * ISATAP), public or not, because a gateway decides what is behind such an address. Anything that is not the plain text
 * of an address, such as one with a zone id, is not public.
 */
export function isPublicAddress(address: string): boolean {
  // net.isIP is strict; ipaddr.js alone would accept "0x7f.1" and "127.1" as addresses.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || address === AZURE_WIRE_SERVER) return false;
  return parsed.kind() === 'ipv4' || isPlainGlobalIpv6(parsed as ipaddr.IPv6);
}

function isPlainGlobalIpv6(address: ipaddr.IPv6): boolean {
  // ISATAP (RFC 5214, 6.1): an interface identifier of 5efe and an IPv4 address, whatever the prefix.
  const isatap = (address.parts[4]! & 0xfdff) === 0 && address.parts[5] === 0x5efe;
  return address.match(GLOBAL_UNICAST_IPV6) && !isatap;
}

export type AddressGuard = ReturnType<typeof createAddressGuard>;

/** Decides where deliveries may go, by one policy, at registration and again at connect. */
export function createAddressGuard(policy: AddressPolicy) {
  const cidrs = policy.allowCidrs.map((range) => ipaddr.parseCIDR(range));
  const denied = policy.denyCidrs.map((range) => ipaddr.parseCIDR(range));
  const targets = new Set(policy.allowTargets.map(canonicalTarget));

  const isTarget = (address: string, port: number) =>
    targets.size > 0 && isIP(address) !== 0 && targets.has(canonicalTarget(`${address}:${port}`));
  const portAllowed = (port: number) => policy.allowPorts.some(({ from, to }) => port >= from && port <= to);
  // ::ffff:a.b.c.d reaches a.b.c.d.
  const deniesAddress = (address: string) =>
    denied.some((cidr) => contains(cidr, address) || contains(cidr, unmapped(address)));
  const addressAllowed = (address: string) =>
    !deniesAddress(address) && (isPublicAddress(address) || cidrs.some((cidr) => contains(cidr, address)));

  const allowsPrivate = allowsPrivateHosts(policy);

  return {
    /** Whether the operator allows some hosts that are not public. */
    allowsPrivate,
    /** Checks the URL itself: its port, and its host if that is an address or a local name. No DNS. */
    judgeUrl(url: URL): TargetRefusal | undefined {
      const host = hostnameOf(url);
      const port = portOf(url);
      if (isIP(host) !== 0 && isTarget(host, port)) return undefined;
      if (isIP(host) !== 0 && deniesAddress(host)) return refusedHost(url);
      // The host first: a caller who registers https://localhost:3000/ must learn that no port would help.
      const isRefused =
        isIP(host) === 0 ? isLocalName(host) || (!allowsPrivate && isPrivateName(host)) : !addressAllowed(host);
      if (isRefused) return nonPublicHost(url, policy);
      return portAllowed(port) ? undefined : refusedPort(port, policy);
    },
    /** Whether the operator's deny list contains the address. */
    deniesAddress,
    /** Whether a connection to this address and port is allowed. */
    allowsAddress: (address: string, port: number) =>
      isTarget(address, port) || (portAllowed(port) && addressAllowed(address)),
  };
}

/** The host as sockets expect it: IPv6 without brackets. */
export function hostnameOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** The port to connect to. */
export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

function isLocalName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return LOCAL_NAMES.has(name) || name.endsWith('.localhost');
}

/** A name that only a private name server can know: one label, or one of the private ends. */
function isPrivateName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return !name.includes('.') || PRIVATE_ENDS.some((end) => name === end || name.endsWith(`.${end}`));
}

function allowsPrivateHosts({ allowCidrs, allowTargets }: AddressPolicy): boolean {
  return allowCidrs.length + allowTargets.length > 0;
}

function contains([network, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number], address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  return parsed.kind() === network.kind() && parsed.match(network, bits);
}

/** The IPv4 address in an IPv4-mapped IPv6 address; any other text unchanged. */
function unmapped(address: string): string {
  return isIP(address) === 6 && !address.includes('%') ? ipaddr.process(address).toString() : address;
}

/** One spelling for each `address:port`, with or without brackets around IPv6. */
function canonicalTarget(target: string): string {
  const colon = target.lastIndexOf(':');
  const address = target.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
  return `${isIPv4(address) ? address : ipaddr.parse(address).toNormalizedString()} ${target.slice(colon + 1)}`;
}

function refusedHost(url: URL): TargetRefusal {
  return {
    code: 'refused_host',
    message: `The host ${url.hostname} is one that this installation does not deliver to.`,
  };
}

function nonPublicHost({ hostname }: URL, policy: AddressPolicy): TargetRefusal {
  return { code: 'non_public_host', message: nonPublicMessage(hostname, allowsPrivateHosts(policy)) };
}

function nonPublicMessage(host: string, someAreAllowed: boolean): string {
  if (!someAreAllowed) return `The host ${host} is not on the public Internet; deliveries go to public addresses only.`;
  return isLocalName(host)
    ? `The name ${host} is refused; use an address that this installation allows instead.`
    : `The host ${host} is not one of the local addresses that this installation allows.`;
}

function refusedPort(port: number, policy: AddressPolicy): TargetRefusal {
  const allowed = policy.allowPorts.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
  return { code: 'refused_port', message: `Port ${port} is not allowed; the ports of destinations are ${allowed}.` };
}

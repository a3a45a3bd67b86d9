import ipaddr from 'ipaddr.js';
import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import type { HttpContext } from './request-state';

type Address = ReturnType<typeof ipaddr.process>;

/**
 * Determines the client address of a request.
 *
 * Behind proxies it is the rightmost address of `X-Forwarded-For` outside the trusted ranges, and only if the peer
 * itself is trusted: the client wrote everything further left, and may have lied.
 *
 * @param trustedProxies CIDR ranges
 * @param onUnknownProxy called with the address of a peer that forwards but is not trusted
 */
export function createClientAddress(
  trustedProxies: readonly string[],
  onUnknownProxy: (peerAddress: string) => void,
): (ctx: HttpContext) => string {
  const ranges = trustedProxies.map((range) => ipaddr.parseCIDR(range));
  const isTrusted = (address: Address): boolean =>
    ranges.some(([network, bits]) => network.kind() === address.kind() && address.match([network, bits] as never));
  /** The peer of each connection, so that its address is not parsed again for each request. */
  const peers = new WeakMap<object, { readonly address: string; readonly trusted: boolean }>();
  const peerOf = ({ socket }: HttpContext['req']) => {
    let peer = peers.get(socket);
    if (!peer) {
      const address = socket.remoteAddress ?? '';
      const trusted = ranges.length > 0 && ipaddr.isValid(address) && isTrusted(ipaddr.process(address));
      peer = { address: normalise(address), trusted };
      peers.set(socket, peer);
    }
    return peer;
  };
  return (ctx) => {
    const peer = peerOf(ctx.req);
    if (!peer.trusted) {
      const { headers } = ctx.req;
      if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) onUnknownProxy(peer.address);
      return peer.address;
    }
    const header = ctx.get('X-Forwarded-For');
    // An address that can't be parsed costs as much as a command to MongoDB.
    if (header === '') return peer.address;
    const forwarded = header.split(',').map((part) => withoutPort(part.trim()));
    for (const address of forwarded.reverse()) {
      if (!ipaddr.isValid(address)) break;
      if (!isTrusted(ipaddr.process(address))) return normalise(address);
    }
    return peer.address;
  };
}

/** The peer of a connection whose headers could not be read: the proxy, if there is one. */
export function peerAddress({ remoteAddress = '' }: { readonly remoteAddress?: string | undefined }): string {
  return normalise(remoteAddress);
}

/** Some proxies (Azure's gateway, and AWS's balancer if asked to) write the client's port behind its address. */
function withoutPort(text: string): string {
  const [, bracketed, plain] = /^(?:\[(.+)\]|([\d.]+))(?::\d+)?$/.exec(text) ?? [];
  return bracketed ?? plain ?? text;
}

/** One spelling for each client. An IPv6 client counts as its /64, because it usually owns all addresses of it. */
function normalise(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/** Anyone can read it, so it names no address. */
export const UNKNOWN_PROXY =
  'Requests are forwarded by a proxy that TRUSTED_PROXIES does not name; the log says which. Its clients share one limit.';

/** Any client can send the header, so the warning is rare and ends. */
const HOLDS_MS = 3_600_000;

/**
 * Detects a proxy that `TRUSTED_PROXIES` does not name: every client then appears to share its IP. Logs it, at most
 * once an hour.
 */
export function createUnknownProxyWatch({ logger, clock }: { logger: Logger; clock: Clock }) {
  let notedAt = Number.NEGATIVE_INFINITY;
  let saidAt = Number.NEGATIVE_INFINITY;
  return {
    /** Records that an untrusted peer sent a forwarding header. */
    note(peer: string): void {
      notedAt = clock();
      if (notedAt - saidAt < HOLDS_MS) return;
      saidAt = notedAt;
      logger.warn(
        { peer },
        'a peer that is not in TRUSTED_PROXIES sent a forwarding header: if it is your proxy, add it, or all of its ' +
          'clients share one limit of failed sign-ins and keys; if it is a client, nothing is wrong',
      );
    },
    /** Whether one was detected in the last hour. */
    isThere: (): boolean => clock() - notedAt < HOLDS_MS,
  };
}

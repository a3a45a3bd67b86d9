import { isIP } from 'node:net';

/** Whether a Host header names this server. */
export type IsAllowedHost = (host: string) => boolean;

/**
 * Knows the names of this server. Addresses and `localhost` are always allowed: a page of another site that resolves
 * its own name to this server (DNS rebinding) sends that name.
 *
 * @param names host names without a port, in lower case; `.example.com` allows every name below it, `*` every name
 */
export function createHostCheck(names: readonly string[]): IsAllowedHost {
  const isNamed = (name: string): boolean =>
    names.some((allowed) => allowed === '*' || allowed === name || (allowed.startsWith('.') && name.endsWith(allowed)));
  return (host) => {
    const name = nameOf(host);
    if (name === undefined) return false;
    return isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost') || isNamed(name);
  };
}

/** The name in a Host header, without port, brackets and a final dot; undefined if it is not a host. */
function nameOf(host: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::\d*)?$/.exec(host.toLowerCase()) ?? [];
  return bracketed ?? plain?.replace(/\.$/, '');
}

import { isIP } from 'node:net';

/** Whether a Host header names this server. */
export type IsAllowedHost = (host: string) => boolean;

/**
 * Knows the names of this server. Addresses and `localhost` always are some: a page of another site that makes its own
 * name lead here (DNS rebinding) comes with that name.
 *
 * @param names host names without a port, in lower case; `.example.com` is every name below it, `*` is every name
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

/** The name in a Host header, without port, brackets and a dot at its end; undefined for what is no host. */
function nameOf(host: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::\d*)?$/.exec(host.toLowerCase()) ?? [];
  return bracketed ?? plain?.replace(/\.$/, '');
}

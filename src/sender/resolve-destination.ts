import { Resolver } from 'node:dns/promises';
import { isIPv6, type LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { AddressGuard } from './address-guard';
import { BlockedAddressError, NameLookupError } from './classify-failure';

/** The part of a resolver that a look-up needs. `dns.promises.Resolver` has it; tests pass their own. */
export interface HostResolver {
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
}

export interface CheckedLookupDeps {
  readonly guard: AddressGuard;
  /**
   * The system's name servers through c-ares by default. `/etc/hosts` is not read.
   *
   * Not `dns.lookup`: it blocks a thread of the pool for each name. Four names with unresponsive servers delayed a
   * healthy one from 14 ms to 20 s.
   */
  readonly resolver: HostResolver | undefined;
  /** How long an answer is reused, in milliseconds; 0 queries every time. */
  readonly cacheMs: number;
}

/** A name without an answer costs this much of an attempt, not all of it. */
const LOOKUP_TIMEOUT_MS = 10_000;

/**
 * Once one family has answered, the other one gets this long: many networks lose queries for IPv6 addresses. Addresses
 * that arrive later are not used.
 */
const SECOND_FAMILY_WAIT_MS = 1_000;

/** For each query and server; c-ares then queries again. */
const QUERY_TIMEOUT_MS = 2_500;
const QUERY_TRIES = 2;

const MAX_CACHED_NAMES = 1_000;

/**
 * A name with hundreds of addresses must not turn one attempt into a scan. All are checked, and this many are tried.
 */
const MAX_TRIED_ADDRESSES = 8;

/** Answers that mean "there is none", unlike those that mean "the look-up failed". */
const NO_ADDRESS = new Set(['ENODATA', 'ENOTFOUND']);

/**
 * Makes the `lookup` option of a connection: one look-up, every address of the answer checked, and only checked
 * addresses given to the socket. There is no second look-up that could answer differently (DNS rebinding).
 *
 * Sockets call it for names only. A literal address in a URL bypasses it and must be checked before.
 *
 * @returns a function that makes the `lookup` for one port
 */
export function createCheckedLookup({ guard, resolver, cacheMs }: CheckedLookupDeps): (port: number) => LookupFunction {
  const cache = new LRUCache<string, Promise<readonly string[]>>({ max: MAX_CACHED_NAMES, ttl: Math.max(cacheMs, 1) });

  // Promises are cached, so that connections opened together share one look-up. Failures are not cached.
  const addressesOf = (name: string): Promise<readonly string[]> => {
    const known = cacheMs > 0 ? cache.get(name) : undefined;
    if (known) return known;
    const found = resolver ? resolveAll(name, resolver) : resolveBySystem(name);
    if (cacheMs > 0) {
      cache.set(name, found);
      found.catch(() => cache.delete(name));
    }
    return found;
  };

  /** Where only public hosts are allowed, no caller learns which private names exist. */
  const hidden = (error: unknown, name: string): Error =>
    !guard.allowsPrivate && error instanceof NameLookupError && NO_ADDRESS.has(error.code)
      ? noPublicAddress(name)
      : (error as Error);

  return (port) => (name, options, callback) => {
    addressesOf(name).then(
      (addresses) => {
        // Checked on every use, cached or not. One forbidden address refuses the name: a server that gives such an
        // answer hopes that a retry or a slow family picks that address.
        if (!addresses.every((address) => guard.allowsAddress(address, port))) {
          // Looked up again each time, like a name that does not exist, so that the duration doesn't tell them apart.
          cache.delete(name);
          if (!guard.allowsPrivate) return callback(noPublicAddress(name), '');
          const isDenied = addresses.some((address) => guard.deniesAddress(address));
          const which = isDenied ? 'that this installation does not deliver to' : 'that is not public';
          return callback(new BlockedAddressError(`The name ${name} leads to an address ${which}.`), '');
        }
        const answers = addresses
          .slice(0, MAX_TRIED_ADDRESSES)
          .map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
        if (options.all) return callback(null, answers);
        callback(null, answers[0]!.address, answers[0]!.family);
      },
      (error: unknown) => callback(hidden(error, name), ''),
    );
  };
}

function noPublicAddress(name: string): BlockedAddressError {
  return new BlockedAddressError(
    `The name ${name} does not exist, or leads to an address that is not public or that this installation does not ` +
      'deliver to.',
  );
}

/**
 * Uses a resolver of its own (making one takes 20 µs): it can be cancelled without ending other look-ups, and it
 * follows a changed `/etc/resolv.conf`.
 */
async function resolveBySystem(name: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  try {
    return await resolveAll(name, resolver);
  } finally {
    resolver.cancel();
  }
}

/** All addresses of a name, IPv4 first; one family may fail if the other has answered. */
async function resolveAll(name: string, resolver: HostResolver): Promise<readonly string[]> {
  const deadline = startDeadline(LOOKUP_TIMEOUT_MS);
  const ask = async (question: Promise<string[]>) => {
    const addresses = await Promise.race([question, deadline.passed]);
    if (addresses.length > 0) deadline.shorten(SECOND_FAMILY_WAIT_MS);
    return addresses;
  };
  try {
    const families = await Promise.allSettled([ask(resolver.resolve4(name)), ask(resolver.resolve6(name))]);
    const addresses = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
    if (addresses.length > 0) return addresses;
    const codes = families.map((family) => (family.status === 'rejected' ? codeOf(family.reason) : 'ENODATA'));
    throw new NameLookupError(name, codes.find((code) => !NO_ADDRESS.has(code)) ?? 'ENOTFOUND');
  } finally {
    deadline.clear();
  }
}

function startDeadline(firstTimeoutMs: number) {
  let timer: NodeJS.Timeout | undefined;
  let start: (timeoutMs: number) => void = () => undefined;
  const passed = new Promise<never>((_, reject) => {
    start = (timeoutMs) => {
      clearTimeout(timer);
      timer = setTimeout(() => reject(Object.assign(new Error('look-up timed out'), { code: 'ETIMEOUT' })), timeoutMs);
    };
  });
  start(firstTimeoutMs);
  return { passed, shorten: start, clear: () => clearTimeout(timer) };
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code);
}

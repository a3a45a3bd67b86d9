import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { parseDurationMs } from './domain/duration';
import { MAX_ENDPOINTS, mergeTiers, type Tier } from './domain/tiers';

/** A TCP port. */
export const port = z.coerce.number().int().min(0).max(65_535);
/** A setting that is on or off. */
export const flag = z
  .enum(['', '0', '1', 'true', 'false', 'yes', 'no'])
  .transform((value) => ['1', 'true', 'yes'].includes(value));
/** The address of a server that speaks HTTP. */
export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
/** A URL that paths are appended to, without a final slash. */
export const baseUrl = httpUrl
  .refine((url) => !/[?#]/.test(url), 'must not have a query or a fragment')
  .refine((url) => !/\/\/[^/]*@/.test(url), 'must not have a user name or a password')
  .transform((url) => url.replace(/\/+$/, ''));
/** The address of a Temporal server; without a port, it is Temporal's own. */
export const hostAndPort = z
  .string()
  .regex(/^(\[[0-9a-f.:]+\]|[^\s:/]+)(:\d+)?$/i, 'must be host:port, without a scheme')
  .refine((text) => {
    const number = Number(/:(\d+)$/.exec(text)?.[1] ?? 1);
    return number >= 1 && number <= 65_535;
  }, 'must have a port from 1 to 65535');

/** A setting that can't be used; the message names each one. Printed without a stack. */
export class ConfigError extends Error {}

/** Runs a parser that throws, and reports its message as the setting's problem. */
export function parsed<T>(parse: (text: string) => T) {
  return z.string().transform((text, context) => {
    try {
      return parse(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  });
}

/** A duration in milliseconds, within limits that are written as durations. */
export function duration(least: string, most?: string) {
  const atLeast = z.number().min(parseDurationMs(least), `must be at least ${least}`);
  const bounds = most === undefined ? atLeast : atLeast.max(parseDurationMs(most), `must be at most ${most}`);
  return parsed(parseDurationMs).pipe(bounds);
}

/** The destinations that deliveries may go to, in addition to the public Internet on 443 and 8443. */
export interface AddressPolicy {
  readonly allowHttp: boolean;
  /** CIDR ranges that nothing is sent to, whatever the other settings allow. */
  readonly denyCidrs: readonly string[];
  /** CIDR ranges that are exempt from the public-address rule. */
  readonly allowCidrs: readonly string[];
  readonly allowPorts: readonly PortRange[];
  /** Exact `address:port` pairs that are exempt from both rules: the embedded stack's own inbox. */
  readonly allowTargets: readonly string[];
}

export interface PortRange {
  readonly from: number;
  readonly to: number;
}

/** The parts of a comma list; empty text is an empty list. @throws RangeError for commas alone */
function commaList(text: string): string[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0 && text !== '') throw new RangeError('has nothing between its commas');
  return parts;
}

/** A comma list of CIDR ranges. @throws RangeError naming an invalid one */
export function parseCidrs(text: string): string[] {
  return commaList(text).map((range) => {
    // The library also reads "10/8" (as 0.0.0.10/8) and "010.0.0.0/8" (as 8.0.0.0/8).
    const isCidr = ipaddr.IPv4.isValidCIDRFourPartDecimal(range) || ipaddr.IPv6.isValidCIDR(range);
    if (!isCidr) throw new RangeError(`"${range}" is not a CIDR range such as 10.0.0.0/8`);
    // Addresses are compared as IPv4 where they are IPv4, so such a range would contain none.
    if (ipaddr.parseCIDR(range)[0].range() === 'ipv4Mapped') {
      throw new RangeError(`"${range}" is IPv4-mapped: write an IPv4 range such as 10.0.0.0/8`);
    }
    return range;
  });
}

/** A comma list of host names, `.example.com` for all below one, or `*`. @throws RangeError naming an invalid one */
export function parseHosts(text: string): string[] {
  return commaList(text.toLowerCase()).map((host) => {
    if (host !== '*' && !/^\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(host)) {
      throw new RangeError(`"${host}" is not a host name such as hooks.example.com, without scheme and port`);
    }
    return host;
  });
}

/** A comma list of ports and ranges such as `20000-30000`. @throws RangeError naming an invalid one */
export function parsePorts(text: string): PortRange[] {
  return commaList(text).map((range) => {
    const match = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(range);
    const from = Number(match?.[1]);
    const to = Number(match?.[2] ?? match?.[1]);
    if (!match || from < 1 || to > 65_535 || from > to) {
      throw new RangeError(`"${range}" is not a port or a range such as 20000-30000`);
    }
    return { from, to };
  });
}

/** A proxy that opens tunnels (HTTP's CONNECT). */
export interface EgressProxy {
  /** Scheme, host and port: nothing secret. Text, because settings are sent to other processes (`PROCESSES`). */
  readonly url: string;
  /** The header `Proxy-Authorization`. */
  readonly authorization: string | undefined;
}

/**
 * Parses the URL of a proxy, with or without credentials. Errors don't repeat any of it.
 *
 * @throws RangeError
 */
export function parseProxy(text: string): EgressProxy {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw new RangeError('must be a URL such as http://proxy.example:4750 or https://user:password@proxy.example');
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new RangeError('must not have a path, a query or a fragment; percent-encode "/", "?" and "#" in credentials');
  }
  const { username, password } = url;
  const credentials = [username, password].map(decodeURIComponent).join(':');
  const authorization =
    username === '' && password === '' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  return { url: `${url.protocol}//${url.host}`, authorization };
}

/** Keys are 32 bytes in base64: what `openssl rand -base64 32` prints. Newest first, comma-separated. @throws RangeError */
export function parseEncryptionKeys(text: string): string[] {
  return commaList(text).map((key) => {
    // Node's decoder skips other characters: a damaged key would become another one.
    if (!/^[A-Za-z0-9+/]{43}=$/.test(key)) {
      throw new RangeError('each key must be 32 bytes in base64, as `openssl rand -base64 32` prints them');
    }
    return key;
  });
}

const tierSchema = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9_-]*$/),
  name: z.string().min(1),
  monthlyQuota: z.number().int().min(0).nullable(),
  perMinute: z.number().int().min(1),
  deliveriesPerMinute: z.number().int().min(1).optional(),
  pendingDeliveries: z.number().int().min(1).nullable().optional(),
  endpoints: z.number().int().min(1).max(MAX_ENDPOINTS).optional(),
  attemptsPerReceiver: z.number().int().min(1).nullable().optional(),
  storedBytesPerDay: z.number().int().min(262_144).nullable().optional(),
  pricePer1000: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,9})?$/, 'must be a decimal as a text, such as "0.40"')
    .optional(),
});

/** Tiers as JSON, merged into the default ones. @throws RangeError or SyntaxError with the reason */
export function parseTiers(text: string): ReadonlyMap<string, Tier> {
  const tiers = z.array(tierSchema).safeParse(JSON.parse(text));
  if (!tiers.success) throw new RangeError(z.prettifyError(tiers.error));
  const ids = tiers.data.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new RangeError(`the tier "${twice}" is there twice`);
  return mergeTiers(tiers.data);
}

const PEM_CERTIFICATE = /-----BEGIN [A-Z0-9 ]*CERTIFICATE-----[^]*?(?:-----END [A-Z0-9 ]*CERTIFICATE-----|$)/g;

/**
 * The certificates (PEM) in a file: each is tried, because OpenSSL silently skips what it can't read.
 *
 * @throws Error when there is none, or one of them can't be read
 */
export function certificatesIn(file: string): string {
  const pem = readFileSync(file, 'utf8');
  const certificates = pem.match(PEM_CERTIFICATE);
  if (!certificates) throw new RangeError('it has no PEM certificate');
  for (const certificate of certificates) void new X509Certificate(certificate);
  return pem;
}

/** The same. @throws RangeError that names the file */
export function readCertificates(file: string): string {
  try {
    return certificatesIn(file);
  } catch (error) {
    throw new RangeError(`The certificate file ${file} can't be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Whether a URL has a user or a password in front of its host. */
export function hasCredentials(url: string): boolean {
  const { username = '', password = '' } = URL.canParse(url) ? new URL(url) : {};
  return `${username}${password}` !== '';
}

/** A comma list of e-mail addresses. @throws RangeError naming an invalid one */
export function parseMailAddresses(text: string): string[] {
  return commaList(text).map((address) => {
    if (!z.email().safeParse(address).success) throw new RangeError(`"${address}" is not an e-mail address`);
    return address;
  });
}

/** How the operator is told of outages and quotas; each undefined if not configured. */
export interface Alerts {
  readonly mail: { readonly smtpUrl: string; readonly from: string; readonly to: readonly string[] } | undefined;
  /** Takes Slack's `{ "text": … }`. Whoever has it can write to the chat. */
  readonly webhookUrl: string | undefined;
}

/** The settings of alerts. */
interface AlertValues {
  readonly ALERT_EMAIL_TO: readonly string[];
  readonly ALERT_EMAIL_FROM?: readonly string[] | undefined;
  readonly SMTP_URL?: string | undefined;
  readonly ALERT_WEBHOOK_URL?: string | undefined;
}

/** Refuses some of the settings of mail without the others: no mail would be sent. */
export function requireWholeMail(values: AlertValues, context: z.RefinementCtx): void {
  const { ALERT_EMAIL_TO, ALERT_EMAIL_FROM, SMTP_URL } = values;
  const refuse = (setting: keyof AlertValues, message: string): void =>
    context.addIssue({ code: 'custom', path: [setting], message });
  if (ALERT_EMAIL_TO.length === 0) {
    for (const setting of ['ALERT_EMAIL_FROM', 'SMTP_URL'] as const) {
      if (values[setting] !== undefined) refuse(setting, 'needs ALERT_EMAIL_TO');
    }
  } else if (SMTP_URL === undefined || ALERT_EMAIL_FROM?.length !== 1) {
    refuse('ALERT_EMAIL_TO', 'needs SMTP_URL, and one address in ALERT_EMAIL_FROM');
  }
}

/** The alerts that the settings ask for. */
export function alertsOf({ ALERT_EMAIL_TO: to, ALERT_EMAIL_FROM, SMTP_URL, ALERT_WEBHOOK_URL }: AlertValues): Alerts {
  const from = ALERT_EMAIL_FROM?.[0];
  const isComplete = to.length > 0 && SMTP_URL !== undefined && from !== undefined;
  return { mail: isComplete ? { smtpUrl: SMTP_URL, from, to } : undefined, webhookUrl: ALERT_WEBHOOK_URL };
}

/** @throws ConfigError naming the first of these settings whose file can't be read, or has something else in it */
export function requireReadable(
  env: NodeJS.ProcessEnv,
  names: readonly string[],
  read: (file: string) => unknown = readFileSync,
): void {
  for (const name of names) {
    const file = env[name];
    if (file === undefined) continue;
    try {
      read(file);
    } catch (error) {
      throw new ConfigError(`${name}: the file ${file} can't be read: ${(error as Error).message}`);
    }
  }
}

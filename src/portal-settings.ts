import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parsed } from './parse-settings';

/** Where a portal is, and what it looks like. */
export const portalSettings = {
  origins: parsed(parseOrigins).prefault(''),
  // Neutral: customers don't learn whose product it is.
  name: z
    .string()
    .trim()
    .max(60, 'must have at most 60 characters')
    .regex(/^\P{Cc}+$/u, 'must be one line of text')
    .default('Webhooks'),
  logo: parsed(readLogo).optional(),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #0f766e')
    .optional(),
  refreshUrl: parsed(parseRefreshUrl).optional(),
};

interface PortalValues {
  readonly PORTAL_ORIGINS: readonly string[];
  readonly PORTAL_NAME: string;
  readonly PORTAL_LOGO?: ReturnType<typeof readLogo> | undefined;
  readonly PORTAL_COLOR?: string | undefined;
  readonly PORTAL_REFRESH_URL?: string | undefined;
}

/** The portal that the settings describe. */
export function portalOf(value: PortalValues) {
  return {
    origins: value.PORTAL_ORIGINS,
    name: value.PORTAL_NAME,
    logo: value.PORTAL_LOGO,
    color: value.PORTAL_COLOR,
    refreshUrl: value.PORTAL_REFRESH_URL,
  };
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Over plain HTTP, anyone on the way could read a session's token. */
function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

/** A comma list of origins. @throws RangeError naming an invalid one */
function parseOrigins(text: string): string[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.map((part) => {
    const url = URL.canParse(part) ? new URL(part) : undefined;
    // As browsers write it, or it would never be equal.
    if (!url || url.origin !== part.toLowerCase() || !isSafe(url)) {
      throw new RangeError(
        `"${part}" is not an origin such as https://app.example.com: a scheme, a host and maybe a port, without a path ` +
          'or a final slash; http is for loopback only',
      );
    }
    return url.origin;
  });
}

/** @throws RangeError unless it is an https URL, or one of loopback */
function parseRefreshUrl(text: string): string {
  if (URL.canParse(text) && isSafe(new URL(text))) return text;
  throw new RangeError('must be an https URL; http is for loopback only');
}

/** It is in the memory of each process. */
const MAX_LOGO_BYTES = 262_144;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** @throws RangeError that names the file, if it is no SVG and no PNG of at most 256 KiB */
function readLogo(file: string): { readonly type: 'image/svg+xml' | 'image/png'; readonly base64: string } {
  const content = readOrExplain(file);
  if (content.length > MAX_LOGO_BYTES) throw new RangeError(`The logo ${file} has more than ${MAX_LOGO_BYTES} bytes`);
  const isPng = content.subarray(0, PNG.length).equals(PNG);
  if (!isPng && !/<svg[\s>]/.test(content.toString('utf8')))
    throw new RangeError(`The logo ${file} is no SVG and no PNG`);
  return { type: isPng ? 'image/png' : 'image/svg+xml', base64: content.toString('base64') };
}

function readOrExplain(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new RangeError(`The logo ${file} can't be read: ${(error as Error).message}`, { cause: error });
  }
}

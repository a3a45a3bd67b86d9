import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { mergeTiers, type Tier } from './domain/tiers';

function commaList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** A comma list of CIDR ranges. @throws RangeError naming the one that is none */
export function parseCidrs(text: string): string[] {
  return commaList(text).map((range) => {
    if (!ipaddr.isValidCIDR(range)) throw new RangeError(`"${range}" is not a CIDR range such as 10.0.0.0/8`);
    return range;
  });
}

/** A comma list of ports and ranges such as `20000-30000`. @throws RangeError naming the one that is none */
export function parsePorts(text: string): { from: number; to: number }[] {
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

/** Keys are 32 bytes in base64: what `openssl rand -base64 32` prints. Newest first, comma-separated. @throws RangeError */
export function parseEncryptionKeys(text: string): string[] {
  return commaList(text).map((key) => {
    if (Buffer.from(key, 'base64').length !== 32) throw new RangeError('each key is 32 bytes in base64');
    return key;
  });
}

const tierSchema = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9_-]*$/),
  name: z.string().min(1),
  monthlyQuota: z.number().int().min(0).nullable(),
  perMinute: z.number().int().min(1),
});

/** Tiers as JSON, laid over the default ones. @throws RangeError or SyntaxError saying what is wrong */
export function parseTiers(text: string): ReadonlyMap<string, Tier> {
  const tiers = z.array(tierSchema).safeParse(JSON.parse(text));
  if (!tiers.success) throw new RangeError(z.prettifyError(tiers.error));
  return mergeTiers(tiers.data);
}

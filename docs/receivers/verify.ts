import { createHmac, timingSafeEqual } from 'node:crypto';

/** @param rawBody the bytes as they came, before any JSON parser */
export function isGenuine(secret: string, rawBody: Buffer, signature: string | undefined): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`);
  const given = Buffer.from(signature ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

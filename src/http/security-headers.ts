import type { HttpMiddleware } from './request-state';

/** A year: what browsers' lists of such hosts ask for. */
const HSTS = 'max-age=31536000';

/** Parts of a browser that no page of ours uses. */
const PERMISSIONS = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']
  .map((feature) => `${feature}=()`)
  .join(', ');

/**
 * Headers of every answer that tell a browser what it must not do. With an `https` address (`PUBLIC_URL`), it must not come
 * back over plain HTTP.
 */
export function createSecurityHeaders(publicUrl: string | undefined): HttpMiddleware {
  const headers = securityHeaders(publicUrl);
  return (ctx, next) => {
    ctx.set(headers);
    return next();
  };
}

function securityHeaders(publicUrl: string | undefined): Record<string, string> {
  return {
    'Permissions-Policy': PERMISSIONS,
    ...(publicUrl?.startsWith('https:') && { 'Strict-Transport-Security': HSTS }),
  };
}

/** The same headers, for requests that could not be read and never come to the application. */
export function headersOfMalformed(publicUrl: string | undefined): Record<string, string> {
  return { ...securityHeaders(publicUrl), 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
}

/** Answers hold a customer's data: no cache may keep them. */
export const neverStored: HttpMiddleware = (ctx, next) => {
  ctx.set('Cache-Control', 'no-store');
  return next();
};

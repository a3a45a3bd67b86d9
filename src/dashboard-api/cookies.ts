import type { HttpContext } from '../http/request-state';

/**
 * Over HTTPS the cookie has the prefix that binds it to this exact host, so no subdomain can plant one. On plain HTTP,
 * browsers refuse both the prefix and `Secure`. Loopback, where no other machine can listen in, therefore uses a
 * plain name.
 */
const SECURE_PREFIX = '__Host-';

const SESSION = 'everpost_session';
const DEVICE = 'everpost_device';
const DEVICE_LIFETIME_MS = 365 * 24 * 3_600_000;

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;
const TOKEN = /^[\w-]{43}$/;

function isPlainLoopback(ctx: HttpContext): boolean {
  // A proxy on this machine that terminates TLS may keep the Host of its own configuration, and says so in this header.
  return LOOPBACK_HOST.test(ctx.get('Host')) && ctx.get('X-Forwarded-Proto').toLowerCase() !== 'https';
}

/** The token that the browser sent; undefined if there is none, or if it can't be a token. */
export function readSessionCookie(ctx: HttpContext): string | undefined {
  const token = read(ctx, SESSION);
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/**
 * Gives the browser a token, or removes it with `null`. The cookie ends with the browser; the session may end earlier.
 */
export function writeSessionCookie(ctx: HttpContext, token: string | null): void {
  write(ctx, SESSION, token);
}

/** The browser's proof of an earlier sign-in (`proveDevice`), as received. */
export function readDeviceCookie(ctx: HttpContext): string | undefined {
  return read(ctx, DEVICE);
}

/** Gives the browser the proof of this sign-in, for a year. It outlives the session. */
export function writeDeviceCookie(ctx: HttpContext, proof: string): void {
  write(ctx, DEVICE, proof, DEVICE_LIFETIME_MS);
}

function read(ctx: HttpContext, name: string): string | undefined {
  return ctx.cookies.get(isPlainLoopback(ctx) ? name : SECURE_PREFIX + name);
}

function write(ctx: HttpContext, name: string, value: string | null, maxAge?: number): void {
  const secure = !isPlainLoopback(ctx);
  // TLS usually ends at a proxy; the cookie is for the browser's side of it.
  ctx.cookies.secure = secure;
  ctx.cookies.set(secure ? SECURE_PREFIX + name : name, value, {
    httpOnly: true,
    secure,
    sameSite: 'strict',
    path: '/',
    overwrite: true,
    ...(maxAge !== undefined && { maxAge }),
  });
}

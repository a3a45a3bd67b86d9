import type { HttpContext } from '../http/request-state';

/**
 * Over HTTPS the cookie carries the prefix that binds it to this very host: no subdomain can plant one. Browsers refuse
 * both prefix and `Secure` on plain HTTP, so loopback, which nobody can listen to, has a plain name.
 */
const SECURE_NAME = '__Host-everpost_session';
const LOOPBACK_NAME = 'everpost_session';

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;
const TOKEN = /^[\w-]{43}$/;

function isPlainLoopback(ctx: HttpContext): boolean {
  // A proxy on this machine that ends TLS may keep the Host of its own configuration; it says so.
  return LOOPBACK_HOST.test(ctx.get('Host')) && ctx.get('X-Forwarded-Proto').toLowerCase() !== 'https';
}

/** The token that the browser sent; undefined when there is none, or it can't be one. */
export function readSessionCookie(ctx: HttpContext): string | undefined {
  const token = ctx.cookies.get(isPlainLoopback(ctx) ? LOOPBACK_NAME : SECURE_NAME);
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** Gives the browser a token, or with `null` takes it away. The cookie ends with the browser; the session may end before. */
export function writeSessionCookie(ctx: HttpContext, token: string | null): void {
  const secure = !isPlainLoopback(ctx);
  // TLS usually ends at a proxy; the cookie is for the browser's side of it.
  ctx.cookies.secure = secure;
  ctx.cookies.set(secure ? SECURE_NAME : LOOPBACK_NAME, token, {
    httpOnly: true,
    secure,
    sameSite: 'strict',
    path: '/',
    overwrite: true,
  });
}

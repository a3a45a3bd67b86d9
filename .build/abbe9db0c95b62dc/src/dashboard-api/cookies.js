"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.readSessionCookie = readSessionCookie;
exports.writeSessionCookie = writeSessionCookie;
exports.readDeviceCookie = readDeviceCookie;
exports.writeDeviceCookie = writeDeviceCookie;
/**
 * Over HTTPS a cookie carries the prefix that binds it to this very host: no subdomain can plant one. Browsers refuse
 * both prefix and `Secure` on plain HTTP, so loopback, which nobody can listen to, has a plain name.
 */
const SECURE_PREFIX = '__Host-';
const SESSION = 'everpost_session';
const DEVICE = 'everpost_device';
const DEVICE_LIFETIME_MS = 365 * 24 * 3_600_000;
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;
const TOKEN = /^[\w-]{43}$/;
function isPlainLoopback(ctx) {
    // A proxy on this machine that ends TLS may keep the Host of its own configuration; it says so.
    return LOOPBACK_HOST.test(ctx.get('Host')) && ctx.get('X-Forwarded-Proto').toLowerCase() !== 'https';
}
/** The token that the browser sent; undefined when there is none, or it can't be a token. */
function readSessionCookie(ctx) {
    const token = read(ctx, SESSION);
    return token !== undefined && TOKEN.test(token) ? token : undefined;
}
/** Gives the browser a token, or with `null` takes it away. The cookie ends with the browser; the session may end before. */
function writeSessionCookie(ctx, token) {
    write(ctx, SESSION, token);
}
/** What the browser says of an earlier sign-in (`proveDevice`), as it came. */
function readDeviceCookie(ctx) {
    return read(ctx, DEVICE);
}
/** Gives the browser the proof that somebody signed in with it, for a year. It outlives the session. */
function writeDeviceCookie(ctx, proof) {
    write(ctx, DEVICE, proof, DEVICE_LIFETIME_MS);
}
function read(ctx, name) {
    return ctx.cookies.get(isPlainLoopback(ctx) ? name : SECURE_PREFIX + name);
}
function write(ctx, name, value, maxAge) {
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
//# sourceMappingURL=cookies.js.map
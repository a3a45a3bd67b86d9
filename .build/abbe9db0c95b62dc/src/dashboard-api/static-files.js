"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.findWebPage = findWebPage;
exports.createStaticFiles = createStaticFiles;
const node_crypto_1 = require("node:crypto");
const node_fs_1 = require("node:fs");
const node_path_1 = require("node:path");
const send_1 = require("@koa/send");
const errors_1 = require("../domain/errors");
const http_errors_1 = require("../http/http-errors");
/** Where the built page is: beside this build of the server, or in the newest build when the sources run as they are. */
const PLACES = [(0, node_path_1.join)(__dirname, '..', '..', 'web'), (0, node_path_1.join)(__dirname, '..', '..', 'dist', 'web')];
const YEAR_MS = 31_536_000_000;
const DAY_MS = 86_400_000;
/** What dashboard/vite.config.mts writes where the nonce belongs. */
const NONCE_PLACEHOLDER = '%STYLE_NONCE%';
const ALLOWED_METHODS = ['GET', 'HEAD'];
/** Finds the built page, and reads what every answer needs. Undefined when nobody has built it. */
function findWebPage(places = PLACES) {
    const found = places.find((place) => (0, node_fs_1.existsSync)((0, node_path_1.join)(place, 'index.html')));
    if (found === undefined)
        return undefined;
    const folder = (0, node_fs_1.realpathSync)(found);
    return {
        folder,
        html: (0, node_fs_1.readFileSync)((0, node_path_1.join)(folder, 'index.html'), 'utf8'),
        // Compressed files stand beside their originals, and are sent under their names.
        assets: new Set((0, node_fs_1.readdirSync)((0, node_path_1.join)(folder, 'assets')).filter((name) => !/\.(br|gz)$/.test(name))),
    };
}
/**
 * Serves the web page: `/estimator`, everything under `/dashboard` but its API, and the files of both. `/` leads to the
 * dashboard. Without a built page the addresses answer 503.
 */
function createStaticFiles(page) {
    return async (ctx, next) => {
        const route = routeOf(ctx.path);
        const asset = route === '/assets/*' ? ctx.path.slice('/assets/'.length) : undefined;
        if (route === undefined || (asset !== undefined && page && !page.assets.has(asset)))
            return next();
        if (!ALLOWED_METHODS.includes(ctx.method))
            throw new http_errors_1.MethodNotAllowedError(ctx.method, ALLOWED_METHODS);
        ctx.state.route = route;
        if (route === '/') {
            ctx.redirect('/dashboard');
            return undefined;
        }
        if (!page)
            throw notBuilt();
        if (asset !== undefined)
            return sendFile(ctx, page, `assets/${asset}`, { immutable: true, maxage: YEAR_MS });
        if (route === FAVICON)
            return sendFile(ctx, page, FAVICON.slice(1), { maxage: DAY_MS });
        sendDocument(ctx, page);
        return undefined;
    };
}
const FAVICON = '/favicon.svg';
/** What is served at a path, under the name that metrics count it by. */
function routeOf(path) {
    if (path === '/' || path === FAVICON)
        return path;
    if (/^\/estimator\/?$/.test(path))
        return '/estimator';
    if (/^\/assets\/[^/]+$/.test(path))
        return '/assets/*';
    if (/^\/dashboard(?:\/|$)/.test(path) && !/^\/dashboard\/api(?:\/|$)/.test(path))
        return '/dashboard/*';
    return undefined;
}
async function sendFile(ctx, { folder }, name, caching) {
    ctx.vary('Accept-Encoding');
    ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
    await (0, send_1.send)(ctx, name, { root: folder, ...caching });
}
function sendDocument(ctx, { html }) {
    const nonce = (0, node_crypto_1.randomBytes)(16).toString('base64');
    ctx.set('Content-Security-Policy', contentSecurityPolicy(nonce));
    ctx.set('Referrer-Policy', 'same-origin');
    ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
    ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
    // It names the files of the newest build, and its nonce is for one visit.
    ctx.set('Cache-Control', 'private, no-cache');
    ctx.type = 'text/html';
    ctx.body = html.replaceAll(NONCE_PLACEHOLDER, nonce);
}
/** Scripts only from files of ours. The nonce is for `<style>` elements that the component library writes. */
function contentSecurityPolicy(nonce) {
    return [
        "default-src 'none'",
        "script-src 'self'",
        `style-src 'self' 'nonce-${nonce}'`,
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ].join('; ');
}
function notBuilt() {
    return new errors_1.UnavailableError('The web page is not built on this server. Run `npm run build` and start it again.', 'page_not_built', 60);
}
//# sourceMappingURL=static-files.js.map
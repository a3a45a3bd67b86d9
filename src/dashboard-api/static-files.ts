import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { send } from '@koa/send';
import { UnavailableError } from '../domain/errors';
import { compressOnce, sendCompressed, type CompressedOnce } from '../http/compressed-once';
import { MethodNotAllowedError } from '../http/http-errors';
import { findGuides, guideFileOf, GUIDES } from './guide-files';
import { dressPortal, LOGO, sendLogo, type PortalLook } from './portal-look';
import type { HttpContext, HttpMiddleware } from '../http/request-state';

/** The web page that `npm run build` made. */
export interface WebPage {
  /** The folder of its files: the real one, so that a later build changes nothing for a running process. */
  readonly folder: string;
  /** `index.html`, for the dashboard and the estimator, with a placeholder for the nonce of its styles. */
  readonly html: string;
  /** `docs.html`, the page around the reference of the API, with a placeholder for it. */
  readonly docs: string;
  /** `portal.html`, the customers' portal, with placeholders for its look and the nonce. */
  readonly portal: string;
  /** Names of the files under `assets/`, each with a hash of its content. */
  readonly assets: ReadonlySet<string>;
  /** Names of the files under `guides/`. */
  readonly guides: ReadonlySet<string>;
}

/**
 * The folders where the built page can be: beside this build of the server, or in the newest build when the sources run
 * directly.
 */
const PLACES = [join(__dirname, '..', '..', 'web'), join(__dirname, '..', '..', 'dist', 'web')];

const YEAR_MS = 31_536_000_000;
const DAY_MS = 86_400_000;
/** What dashboard/vite.config.mts writes where the nonce belongs. */
const NONCE_PLACEHOLDER = '%STYLE_NONCE%';
/** What dashboard/docs.html has where the reference belongs. */
const REFERENCE_PLACEHOLDER = '%REFERENCE%';

const ALLOWED_METHODS = ['GET', 'HEAD'];

/** Finds the built page, and reads what every answer needs. Undefined if it is not built. */
export function findWebPage(places: readonly string[] = PLACES): WebPage | undefined {
  const found = places.find((place) => existsSync(join(place, 'index.html')));
  if (found === undefined) return undefined;
  const folder = realpathSync(found);
  return {
    folder,
    html: readFileSync(join(folder, 'index.html'), 'utf8'),
    docs: readFileSync(join(folder, 'docs.html'), 'utf8'),
    portal: readFileSync(join(folder, 'portal.html'), 'utf8'),
    // Compressed files are beside their originals, and are sent under their names.
    assets: new Set(readdirSync(join(folder, 'assets')).filter((name) => !/\.(br|gz)$/.test(name))),
    guides: findGuides(folder),
  };
}

/**
 * Serves the web page: `/estimator`, `/docs`, `/guides`, everything under `/dashboard` and `/portal` but their APIs, and their files.
 * `/` leads to the dashboard. Without a built page the addresses answer 503.
 *
 * @param reference makes the content of `/docs`, as HTML
 * @param look what the portal looks like, and who may frame it
 */
export function createStaticFiles(
  page: WebPage | undefined,
  reference: () => string,
  look: PortalLook,
): HttpMiddleware {
  const portal = page && dressPortal(page.portal, look);
  const docs =
    page && compressOnce(() => page.docs.replaceAll(NONCE_PLACEHOLDER, '').replace(REFERENCE_PLACEHOLDER, reference));
  return async (ctx, next) => {
    const guide = page && guideFileOf(page.guides, ctx.path);
    const route = guide === undefined ? routeOf(ctx.path) : GUIDES;
    const asset = route === '/assets/*' ? ctx.path.slice('/assets/'.length) : undefined;
    // `/guides` of a page that was built without them.
    if (page && route === GUIDES && guide === undefined) return next();
    if (route === undefined || (asset !== undefined && page && !page.assets.has(asset))) return next();
    if (!ALLOWED_METHODS.includes(ctx.method)) throw new MethodNotAllowedError(ctx.method, ALLOWED_METHODS);
    ctx.state.route = route;
    if (route === '/') {
      ctx.redirect('/dashboard');
      return undefined;
    }
    if (route === LOGO) return sendLogo(ctx, look, next);
    if (!page || !docs || portal === undefined) throw notBuilt();
    if (asset !== undefined) return sendFile(ctx, page, `assets/${asset}`, { immutable: true, maxage: YEAR_MS });
    if (route === FAVICON) return sendFile(ctx, page, FAVICON.slice(1), { maxage: DAY_MS });
    if (guide !== undefined) return sendGuide(ctx, page, guide);
    if (route === PORTAL) sendPortal(ctx, portal, look.origins);
    else sendDocument(ctx, route === DOCS ? docs() : page.html);
    return undefined;
  };
}

const FAVICON = '/favicon.svg';
const DOCS = '/docs';
const PORTAL = '/portal/*';

/** The name by which metrics count what is served at a path. */
function routeOf(path: string): string | undefined {
  if (path === '/' || path === FAVICON) return path;
  if (/^\/estimator\/?$/.test(path)) return '/estimator';
  if (/^\/docs\/?$/.test(path)) return DOCS;
  if (/^\/guides\/?$/.test(path)) return GUIDES;
  if (/^\/assets\/[^/]+$/.test(path)) return '/assets/*';
  if (path === LOGO) return path;
  if (/^\/portal(?:\/|$)/.test(path) && !/^\/portal\/api(?:\/|$)/.test(path)) return PORTAL;
  if (/^\/dashboard(?:\/|$)/.test(path) && !/^\/dashboard\/api(?:\/|$)/.test(path)) return '/dashboard/*';
  return undefined;
}

async function sendFile(
  ctx: HttpContext,
  { folder }: WebPage,
  name: string,
  caching: { maxage: number; immutable?: boolean },
): Promise<void> {
  ctx.vary('Accept-Encoding');
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
  await send(ctx, name, { root: folder, ...caching });
}

/** A file of the guides. Its name stays when it changes, so browsers ask each time whether it has. */
async function sendGuide(ctx: HttpContext, page: WebPage, name: string): Promise<void> {
  if (name.endsWith('.html')) setDocumentHeaders(ctx, newNonce());
  await sendFile(ctx, page, `guides/${name}`, { maxage: 0 });
}

/** @param content text with a placeholder for the nonce, or a document without styles of its own */
function sendDocument(ctx: HttpContext, content: string | CompressedOnce): void {
  const nonce = newNonce();
  setDocumentHeaders(ctx, nonce);
  // It names the files of the newest build, and its nonce is for one visit.
  ctx.set('Cache-Control', 'private, no-cache');
  ctx.type = 'text/html';
  if (typeof content === 'string') ctx.body = content.replaceAll(NONCE_PLACEHOLDER, nonce);
  else sendCompressed(ctx, content);
}

function setDocumentHeaders(ctx: HttpContext, nonce: string): void {
  ctx.set('Content-Security-Policy', contentSecurityPolicy(nonce, []));
  ctx.set('Referrer-Policy', 'same-origin');
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
}

/** The one page that others may frame: so it belongs to no group of windows, and its policy names who may. */
function sendPortal(ctx: HttpContext, html: string, framedBy: readonly string[]): void {
  const nonce = newNonce();
  ctx.set('Content-Security-Policy', contentSecurityPolicy(nonce, framedBy));
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.set('Cache-Control', 'private, no-cache');
  ctx.type = 'text/html';
  ctx.body = html.replaceAll(NONCE_PLACEHOLDER, nonce);
}

function newNonce(): string {
  return randomBytes(16).toString('base64');
}

/** Scripts only from our own files. The nonce is for `<style>` elements that the component library writes. */
function contentSecurityPolicy(nonce: string, framedBy: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${framedBy.length === 0 ? "'none'" : framedBy.join(' ')}`,
  ].join('; ');
}

function notBuilt(): UnavailableError {
  return new UnavailableError(
    'The web page is not built on this server. Run `npm run build` and start it again.',
    'page_not_built',
    60,
  );
}

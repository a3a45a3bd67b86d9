import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { absolutePath } from 'swagger-ui-dist';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { HttpMiddleware, HttpContext } from '../http/request-state';

const TYPES: Record<string, string> = { css: 'text/css', js: 'text/javascript' };
const FILES = new Set(['swagger-ui.css', 'swagger-ui-bundle.js']);

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Everpost API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null });\n`;

/** Everything comes from this server; the viewer's script sets inline styles and uses inline icons. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Serves the OpenAPI document at `/openapi.json` and a viewer for it at `/docs`, without requests to other hosts. */
export function createDocsPage(document: object): HttpMiddleware {
  // One buffer for all answers: otherwise each slow client would hold a copy.
  const json = Buffer.from(JSON.stringify(document));
  const files = new Map<string, Promise<Buffer>>();
  const read = (name: string): Promise<Buffer> => {
    const file = files.get(name) ?? readFile(join(absolutePath(), name));
    files.set(name, file);
    return file;
  };
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (ctx.path === '/openapi.json') {
      ctx.type = 'application/json';
      return sendPublic(ctx, json);
    }
    const file = /^\/docs(?:\/([a-z.-]*))?$/.exec(ctx.path);
    if (!file) return next();
    const name = file[1] ?? '';
    ctx.set('Content-Security-Policy', POLICY);
    if (name === '') {
      ctx.type = 'text/html';
      ctx.body = PAGE;
    } else if (name === 'start.js') {
      ctx.type = 'text/javascript';
      ctx.body = START;
    } else if (FILES.has(name)) {
      ctx.type = TYPES[name.split('.').at(-1)!]!;
      ctx.set('Cache-Control', 'public, max-age=3600');
      return sendPublic(ctx, await read(name));
    } else {
      return next();
    }
    return undefined;
  };
}

const compress = promisify(gzip);
const compressed = new WeakMap<Buffer, Promise<Buffer>>();

/**
 * Sends public bytes, compressed for clients that accept gzip.
 *
 * They are compressed only once, so that strangers' requests cost no processor time. Only for bytes without secrets
 * (BREACH).
 */
async function sendPublic(ctx: HttpContext, bytes: Buffer): Promise<void> {
  ctx.vary('Accept-Encoding');
  if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') {
    ctx.body = bytes;
    return;
  }
  const made = compressed.get(bytes) ?? compress(bytes, { level: constants.Z_BEST_COMPRESSION });
  compressed.set(bytes, made);
  ctx.set('Content-Encoding', 'gzip');
  ctx.body = await made;
}

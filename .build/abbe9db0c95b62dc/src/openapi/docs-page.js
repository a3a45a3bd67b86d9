"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createDocsPage = createDocsPage;
const promises_1 = require("node:fs/promises");
const node_path_1 = require("node:path");
const swagger_ui_dist_1 = require("swagger-ui-dist");
const node_util_1 = require("node:util");
const node_zlib_1 = require("node:zlib");
const TYPES = { css: 'text/css', js: 'text/javascript' };
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
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";
/** Serves the OpenAPI document at `/openapi.json` and a viewer for it at `/docs`, without requests to other hosts. */
function createDocsPage(document) {
    // One buffer for all answers: otherwise each slow client would hold a copy.
    const json = Buffer.from(JSON.stringify(document));
    const files = new Map();
    const read = (name) => {
        const file = files.get(name) ?? (0, promises_1.readFile)((0, node_path_1.join)((0, swagger_ui_dist_1.absolutePath)(), name));
        files.set(name, file);
        return file;
    };
    return async (ctx, next) => {
        if (ctx.method !== 'GET' && ctx.method !== 'HEAD')
            return next();
        if (ctx.path === '/openapi.json') {
            ctx.type = 'application/json';
            return sendPublic(ctx, json);
        }
        const file = /^\/docs(?:\/([a-z.-]*))?$/.exec(ctx.path);
        if (!file)
            return next();
        const name = file[1] ?? '';
        ctx.set('Content-Security-Policy', POLICY);
        if (name === '') {
            ctx.type = 'text/html';
            ctx.body = PAGE;
        }
        else if (name === 'start.js') {
            ctx.type = 'text/javascript';
            ctx.body = START;
        }
        else if (FILES.has(name)) {
            ctx.type = TYPES[name.split('.').at(-1)];
            ctx.set('Cache-Control', 'public, max-age=3600');
            return sendPublic(ctx, await read(name));
        }
        else {
            return next();
        }
        return undefined;
    };
}
const compress = (0, node_util_1.promisify)(node_zlib_1.gzip);
const compressed = new WeakMap();
/**
 * Answers with public bytes: compressed for clients that accept gzip.
 *
 * They are compressed only once, so that requests of strangers cost no processor time. Only for bytes without secrets
 * (BREACH).
 */
async function sendPublic(ctx, bytes) {
    ctx.vary('Accept-Encoding');
    if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') {
        ctx.body = bytes;
        return;
    }
    const made = compressed.get(bytes) ?? compress(bytes, { level: node_zlib_1.constants.Z_BEST_COMPRESSION });
    compressed.set(bytes, made);
    ctx.set('Content-Encoding', 'gzip');
    ctx.body = await made;
}
//# sourceMappingURL=docs-page.js.map
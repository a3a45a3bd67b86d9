import { mkdirSync, writeFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import Koa from 'koa';
import { createStaticFiles, findWebPage } from '../../src/dashboard-api/static-files';
import { mapErrors } from '../../src/http/error-mapper';
import { createRequestContext } from '../../src/http/request-context';
import type { RequestState } from '../../src/http/request-state';
import { listen, type HttpServer } from '../../src/http/server';
import { createLogger } from '../../src/platform/logger';
import { createMetrics } from '../../src/platform/metrics';
import { useFixture } from '../support/fixture';
import { useTemporaryFolder } from '../support/temporary-folder';
import { METRIC_SOURCES } from '../support/metric-sources';

const HTML =
  '<meta property="csp-nonce" nonce="%STYLE_NONCE%"><script type="module" src="/assets/a-1x.js" nonce="%STYLE_NONCE%"></script>';
const DOCS = '<script type="module" src="/assets/docs-3z.js" nonce="%STYLE_NONCE%"></script>%REFERENCE%';
const PORTAL = '<title>%PORTAL_NAME%</title><link href="%PORTAL_ICON%"><meta content="%PORTAL_LOOK%">';
const LOOK = {
  origins: ['https://app.example.com'],
  name: 'Acme & "Sons"',
  logo: undefined,
  color: '#aa3300',
  refreshUrl: undefined,
};
const REFERENCE = '<main>costs $& a call</main>';
const GUIDE = '<main>Programs authenticate with an API key.</main>';
const SCRIPT = 'console.log("one");'.repeat(100);

const folder = useTemporaryFolder();
const server = useFixture('test', serveBuilt, ({ close }) => close());

function serveBuilt(): Promise<HttpServer> {
  const web = join(folder(), 'web');
  mkdirSync(join(web, 'assets'), { recursive: true });
  writeFileSync(join(folder(), 'secret.txt'), 'secret');
  writeFileSync(join(web, 'index.html'), HTML);
  writeFileSync(join(web, 'docs.html'), DOCS);
  writeFileSync(join(web, 'portal.html'), PORTAL);
  mkdirSync(join(web, 'guides', 'pictures'), { recursive: true });
  writeFileSync(join(web, 'guides', 'index.html'), GUIDE);
  writeFileSync(join(web, 'guides', 'keys.html'), GUIDE);
  writeFileSync(join(web, 'guides', 'keys.html.gz'), gzipSync(GUIDE));
  writeFileSync(join(web, 'guides', 'search.json'), '[]');
  writeFileSync(join(web, 'guides', 'pictures', 'portal.png'), 'PNG');
  writeFileSync(join(web, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(web, 'assets', 'a-1x.js'), SCRIPT);
  writeFileSync(join(web, 'assets', 'a-1x.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(web, 'assets', 'a-1x.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(web, 'assets', 'b-2y.css'), 'body{}');
  return serve([web]);
}

async function serve(places: readonly string[]): Promise<HttpServer> {
  const app = new Koa<RequestState>();
  app.use(
    createRequestContext({
      logger: createLogger('silent'),
      metrics: createMetrics(METRIC_SOURCES),
      clientAddress: () => '127.0.0.1',
    }),
  );
  app.use(mapErrors);
  app.use(createStaticFiles(findWebPage(places), () => REFERENCE, LOOK));
  app.use((ctx) => {
    ctx.status = 404;
    ctx.body = 'the next one';
  });
  return listen(app, { host: '127.0.0.1', port: 0, maxConnections: 100 }, () => ({}));
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends requests like a browser: `fetch` would change paths and undo compression. */
function ask(path: string, options: { method?: string; headers?: Record<string, string>; url?: string } = {}) {
  const { hostname, port } = new URL(options.url ?? server.url);
  return new Promise<Answer>((resolve, reject) => {
    const { method = 'GET', headers = {} } = options;
    request({ hostname, port, path, method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

describe('the document', () => {
  it.each(['/estimator', '/estimator/', '/dashboard', '/dashboard/', '/dashboard/events/17', '/dashboard/apix'])(
    'is served at %s with a strict policy',
    async (path) => {
      const { status, headers, body } = await ask(path);
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      const policy = String(headers['content-security-policy']);
      const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1];
      expect(policy.split('; ')).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        `style-src 'self' 'nonce-${nonce}'`,
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ]);
      expect(body.toString()).toBe(HTML.replaceAll('%STYLE_NONCE%', nonce!));
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cache-control': 'private, no-cache',
      });
    },
  );

  it.each(['/docs', '/docs/'])('is the reference of the API at %s, under the same policy', async (path) => {
    const { status, headers, body } = await ask(path);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = String(headers['content-security-policy']);
    expect(policy.split('; ')).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'"]));
    expect(policy).not.toContain('unsafe-inline');
    expect(body.toString()).toBe(`<script type="module" src="/assets/docs-3z.js" nonce=""></script>${REFERENCE}`);
  });

  it('compresses the reference', async () => {
    const { headers, body } = await ask('/docs', { headers: { 'Accept-Encoding': 'gzip' } });
    expect(headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(body).toString()).toContain(REFERENCE);
  });

  it('sends the reference once to a browser that keeps it', async () => {
    const { headers } = await ask('/docs');
    const again = await ask('/docs', { headers: { 'If-None-Match': String(headers.etag) } });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect((await ask('/docs', { headers: { 'If-None-Match': '"another"' } })).status).toBe(200);
  });

  it('has a new nonce each time', async () => {
    const [one, other] = await Promise.all([ask('/estimator'), ask('/estimator')]);
    expect(one.headers['content-security-policy']).not.toBe(other.headers['content-security-policy']);
  });

  it('/ redirects to the dashboard', async () => {
    const { status, headers } = await ask('/');
    expect([status, headers.location]).toEqual([302, '/dashboard']);
  });

  it.each([
    '/dashboard/api',
    '/dashboard/api/session',
    '/estimators',
    '/estimator/x',
    '/Dashboard',
    '/index.html',
    '/docs.html',
    '/docs/x',
  ])('is not served at %s', async (path) => {
    expect((await ask(path)).body.toString()).toBe('the next one');
  });

  it('405 for other methods; HEAD has no body', async () => {
    const post = await ask('/estimator', { method: 'POST' });
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
    const head = await ask('/dashboard', { method: 'HEAD' });
    expect([head.status, head.body.length]).toEqual([200, 0]);
  });

  it('503 if the page was not built', async () => {
    const other = await serve([join(folder(), 'nothing')]);
    const { status, body } = await ask('/estimator', { url: other.url });
    expect([status, JSON.parse(body.toString()).code]).toEqual([503, 'page_not_built']);
    await other.close();
  });
});

describe('the guides', () => {
  it.each(['/guides', '/guides/', '/guides/keys', '/guides/keys/'])(
    'are served at %s, with a strict policy and without a key',
    async (path) => {
      const { status, headers, body } = await ask(path);
      expect([status, headers['content-type'], body.toString()]).toEqual([200, 'text/html; charset=utf-8', GUIDE]);
      const policy = String(headers['content-security-policy']).split('; ');
      expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'", "base-uri 'none'"]));
      expect(headers).toMatchObject({ 'cache-control': 'max-age=0', 'x-content-type-options': 'nosniff' });
    },
  );

  it('are sent compressed', async () => {
    const { headers, body } = await ask('/guides/keys', { headers: { 'Accept-Encoding': 'gzip' } });
    expect([headers['content-encoding'], gunzipSync(body).toString()]).toEqual(['gzip', GUIDE]);
  });

  it('have what the search reads, and their pictures', async () => {
    expect((await ask('/guides/search.json')).headers['content-type']).toBe('application/json; charset=utf-8');
    expect((await ask('/guides/pictures/portal.png')).headers['content-type']).toBe('image/png');
  });

  it.each([
    '/guides/none',
    '/guides/keys.html',
    '/guides/keys.html.gz',
    '/guides/pictures',
    '/guides/../secret.txt',
    '/guides/..%2f..%2fsecret.txt',
    '/guides//keys',
    '/guidesx',
  ])('nothing else is served: %s', async (path) => {
    expect((await ask(path)).body.toString()).toBe('the next one');
  });

  it('503 if the page was not built; 405 for other methods', async () => {
    const other = await serve([join(folder(), 'nothing')]);
    expect((await ask('/guides', { url: other.url })).status).toBe(503);
    await other.close();
    expect((await ask('/guides/keys', { method: 'POST' })).status).toBe(405);
  });
});

describe('the files', () => {
  it('are cached forever, since their names change with their contents', async () => {
    const { status, headers, body } = await ask('/assets/a-1x.js');
    expect([status, body.toString()]).toEqual([200, SCRIPT]);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'max-age=31536000,immutable',
      'content-length': String(SCRIPT.length),
      vary: 'Accept-Encoding',
    });
    expect((await ask('/assets/b-2y.css')).headers['content-type']).toBe('text/css; charset=utf-8');
    expect((await ask('/favicon.svg')).headers['content-type']).toBe('image/svg+xml');
  });

  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ])('are sent compressed for Accept-Encoding %s', async (accepted, encoding, decompress) => {
    const { headers, body } = await ask('/assets/a-1x.js', { headers: { 'Accept-Encoding': accepted } });
    expect([headers['content-encoding'], headers['content-length']]).toEqual([encoding, String(body.length)]);
    expect(decompress(body).toString()).toBe(SCRIPT);
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
  });

  it.each([
    '/assets/none.js',
    '/assets/',
    '/assets/a-1x.js.gz',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/../../secret.txt',
    '/assets/%2e%2e%2findex.html',
    '/assets/..',
    '/assets/%00',
    '/assets/%E0%A4%A',
    '/../secret.txt',
    '/dashboard/../../secret.txt',
  ])('nothing else is served: %s', async (path) => {
    const { body } = await ask(path);
    expect([HTML.slice(0, 20), 'the next one'].some((known) => body.toString().startsWith(known))).toBe(true);
    expect(body.toString()).not.toContain('secret');
  });
});

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** Where Vite's own server finds an API: the one of `npm start`, unless the environment names another. */
const API = process.env['EVERPOST_URL'] ?? `http://127.0.0.1:${process.env['PORT'] ?? 8080}`;

/**
 * The pages of this build. The portal is a build of its own: parts that two pages share are files of their own, and more
 * and smaller files make the first load of each page larger.
 */
const PAGES = process.env['PAGES'] === 'portal' ? ['portal.html'] : ['index.html', 'docs.html', 'guides.html'];

/** Smaller files would not become smaller packets. */
const WORTH_COMPRESSING_BYTES = 1_024;

/** The highest, 11, took 2.6 times as long for 2 % fewer bytes. */
const BROTLI_QUALITY = 10;

/** Compresses each file once and well, instead of for every visitor. */
const compressed: Plugin = {
  name: 'everpost:compressed',
  apply: 'build',
  async writeBundle({ dir = '' }, bundle) {
    const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };
    const names = Object.keys(bundle).filter((name) => /^assets\/.*\.(css|js|svg)$/.test(name));
    await Promise.all(
      names.map(async (name) => {
        const file = join(dir, name);
        const content = await readFile(file);
        if (content.length < WORTH_COMPRESSING_BYTES) return;
        await writeFile(`${file}.br`, await promisify(brotliCompress)(content, brotli));
        await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
      }),
    );
  },
};

/**
 * Says that our files are modules whatever package.json says of the server's. As files of a CommonJS package they would
 * be bundled by Node's rules for imports from CommonJS, and every page would load the components of all others.
 */
const oursAreModules: Plugin = {
  name: 'everpost:ours-are-modules',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
    return resolved && /\.tsx?$/.test(resolved.id) && !resolved.id.includes('node_modules')
      ? { id: resolved.id }
      : resolved;
  },
};

export default defineConfig({
  plugins: [oursAreModules, compressed],
  root: import.meta.dirname,
  html: {
    // src/dashboard-api/static-files.ts puts another nonce here for each answer. It is for <style> elements, not for scripts.
    cspNonce: '%STYLE_NONCE%',
  },
  build: {
    target: 'baseline-widely-available',
    // A data: URL would need another exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // A server that runs still sends the files of the page that it started with; bootstrap/build.js removes them later.
    emptyOutDir: false,
    // Every file of the libraries says "use client", which has no meaning here.
    rolldownOptions: {
      input: PAGES.map((name) => join(import.meta.dirname, name)),
      checks: { moduleLevelDirective: false },
    },
    // The viewer of the API's document is one file of 1.7 MB; test/browser/first-load.spec.ts limits what our pages load.
    chunkSizeWarningLimit: 1_800,
  },
  server: {
    port: 5173,
    strictPort: true,
    // `/docs`, `/guides` and their files are those of the last build.
    proxy: {
      '/api': API,
      '/dashboard/api': API,
      '/portal': API,
      '/docs': API,
      '/guides': API,
      '/assets': API,
      '/openapi.json': API,
    },
  },
});

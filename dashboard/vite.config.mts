import { defineConfig, type Plugin } from 'vite';

/** Where `npm run dev:dashboard` finds an API: the one of `npm start`, unless the environment names another. */
const API = process.env['EVERPOST_URL'] ?? 'http://127.0.0.1:8080';

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
  plugins: [oursAreModules],
  root: import.meta.dirname,
  html: {
    // src/dashboard/pages.ts puts another nonce here for each answer. It is for <style> elements, not for scripts.
    cspNonce: '%STYLE_NONCE%',
  },
  build: {
    target: 'baseline-widely-available',
    // A data: URL would need another exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    emptyOutDir: true,
    // Every file of the libraries says "use client", which has no meaning here.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
    chunkSizeWarningLimit: 700,
  },
  server: { port: 5173, strictPort: true, proxy: { '/api': API, '/docs': API, '/openapi.json': API } },
});

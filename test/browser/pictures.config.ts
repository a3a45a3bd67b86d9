import { defineConfig } from '@playwright/test';
import config from './playwright.config';

/**
 * Takes the pictures of the documentation, from the running product:
 *   npm run test:browser -- --config test/browser/pictures.config.ts
 *
 * (A default export: Playwright looks for it.)
 */
export default defineConfig(config, { testMatch: 'pictures.ts' });

import { onProgress, startTestServers } from '../../support/servers';
import { CHROMIUM_VARIABLE, findChromium } from '../../../dev/find-chromium';

/**
 * Finds the browser, and starts one mongod and one Temporal server for the whole run. Whatever happens to Playwright,
 * they end with it. (A default export, because Playwright looks for nothing else.)
 *
 * @returns what ends them
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  process.env[CHROMIUM_VARIABLE] = await findChromium(process.env, onProgress);
  return startTestServers();
}

import { test as base } from '@playwright/test';
import { freePort } from '../../../dev/ports';
import { buildSettings } from '../../support/build-stack';
import { startRoleProcess, type RoleProcess } from '../../support/role-process';

/** An API in a process of its own, at one address. */
export interface ApiProcess {
  readonly url: string;
  start(): Promise<void>;
  /** As a deployment does. */
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** It does nothing any more, and its connections stay open. */
  freeze(): void;
  thaw(): void;
}

/** Playwright's `test` with such an API, which the tests may stop. */
export const test = base.extend<object, { readonly api: ApiProcess }>({
  api: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the fixtures' names from here
    async ({}, use) => {
      const port = await freePort();
      const settings = { ...(await buildSettings({}, 'api')), PORT: String(port), LOG_LEVEL: 'info' };
      let running: RoleProcess | undefined;
      const api = {
        url: `http://127.0.0.1:${port}`,
        start: async () => void (running = await startRoleProcess('api', settings)),
        stop: async () => running?.stop(),
        kill: async () => running?.kill(),
        freeze: () => running?.freeze(),
        thaw: () => running?.thaw(),
      };
      await api.start();
      await use(api);
      await api.kill();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ api }, use) => use(api.url),
});

import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { buildPortalSession } from '../../support/build-portal-session';
import { buildReceiver, type Receiver } from '../../support/build-receiver';
import { buildStack, type Stack } from '../../support/build-stack';
import { callApi, type ApiAnswer } from './dashboard';

/** A platform that shows the portal in its own page, on another site than the portal's. */
export interface HostPage {
  readonly origin: string;
  close(): Promise<void>;
}

/** A customer of the platform. */
export interface Customer {
  readonly accountId: string;
  call(method: string, path: string, body?: unknown): Promise<ApiAnswer>;
  /** The address of the portal, with a new code. */
  portal(options?: Parameters<typeof buildPortalSession>[2]): Promise<{ url: string; code: string; id: string }>;
}

interface WorkerFixtures {
  /** May frame the portal. */
  readonly host: HostPage;
  /** May not. */
  readonly stranger: HostPage;
  readonly stack: Stack;
}

interface TestFixtures {
  readonly receiver: Receiver;
  readonly customer: Customer;
}

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="#6d28d9"/>' +
  '<path d="M10 22 16 9l6 13" stroke="#fff" stroke-width="3" fill="none"/></svg>';

/** The settings of the platform's portal. */
function portalEnv(origins: readonly string[]): Record<string, string> {
  const logo = join(mkdtempSync(join(tmpdir(), 'portal-')), 'logo.svg');
  writeFileSync(logo, LOGO);
  return {
    PORTAL_ORIGINS: origins.join(','),
    PORTAL_NAME: 'Acme Webhooks',
    PORTAL_LOGO: logo,
    PORTAL_COLOR: '#6d28d9',
    PORTAL_REFRESH_URL: `${origins[0]}/again`,
  };
}

/** Playwright's `test` with a portal, a page that frames it, one that may not, and a customer. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the fixtures' names from here
  host: [async ({}, use) => using(await buildHostPage(), use), { scope: 'worker' }],
  // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the fixtures' names from here
  stranger: [async ({}, use) => using(await buildHostPage(), use), { scope: 'worker' }],
  stack: [
    async ({ host }, use) => {
      const stack = await buildStack({
        role: 'all',
        env: { RETRY_SCHEDULE: '0s,60s,60s', ...portalEnv([host.origin]) },
      });
      await stack.role.workerReady;
      await using(stack, use);
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: async ({ stack }, use) => use(stack.url),
  // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the fixtures' names from here
  receiver: async ({}, use) => using(await buildReceiver(), use),
  customer: async ({ stack }, use) => use(await buildCustomer(stack)),
});

async function using<T extends { close(): Promise<unknown> }>(made: T, use: (made: T) => Promise<void>): Promise<void> {
  await use(made);
  await made.close();
}

/** A customer with an account of its own. */
async function buildCustomer(stack: Stack): Promise<Customer> {
  const { accountId, key } = await stack.account();
  return {
    accountId,
    call: (method, path, body) => callApi(stack.url, key, { method, path, body }),
    async portal(options) {
      const { id, code } = await buildPortalSession(stack.mongo, accountId, options);
      return { id, code, url: `${stack.url}/portal#${code}` };
    },
  };
}

/** The platform's page. `?frame=` is what it frames, `?beside=` another frame. It keeps the messages that it gets. */
const PAGE = `<!doctype html><html lang="en"><title>Acme</title>
<style>body{margin:0;font:16px system-ui;background:#f4f1fa}header{padding:20px 32px;background:#2e1065;color:#fff}
main{padding:24px 32px}iframe{width:100%;height:760px;border:1px solid #ddd;border-radius:12px;background:#fff}</style>
<header><b>Acme</b> &nbsp; Settings › Webhooks</header><main><iframe id="portal" title="Webhooks"></iframe></main>
<script>
  const query = new URLSearchParams(location.search);
  const portal = document.querySelector('#portal');
  window.messages = [];
  addEventListener('message', ({ data, origin }) => messages.push({ data, origin }));
  window.send = (code, to) => portal.contentWindow.postMessage({ type: 'everpost.code', code }, to);
  if (query.has('frame')) portal.src = query.get('frame');
  if (query.has('beside')) {
    const beside = document.createElement('iframe');
    beside.id = 'beside';
    beside.src = query.get('beside');
    document.body.append(beside);
  }
</script></html>`;

/** Starts it under the name `localhost`: to a browser that is another site than 127.0.0.1, where the portal is. */
async function buildHostPage(): Promise<HostPage> {
  const server: Server = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(request.url?.startsWith('/again') ? '<title>Again</title><h1>A new session</h1>' : PAGE);
  });
  await once(server.listen(0, 'localhost'), 'listening');
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

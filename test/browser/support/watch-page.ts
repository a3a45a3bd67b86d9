import { expect, type Page } from '@playwright/test';

/** A page's requests and errors since it was opened. */
export interface PageWatch {
  /** `GET /api/cost-estimator`, in the order of the requests; only paths under /api and /dashboard/api. */
  readonly apiCalls: readonly string[];
  /** Errors of the console, exceptions, violations of the Content-Security-Policy, requests to others. */
  readonly complaints: readonly string[];
  /** Forgets complaints that a test expects. */
  forget(): void;
  expectNothingWrong(): void;
}

/** Watches a page from now on. @param origin the only server that it may talk to */
export function watchPage(page: Page, origin: string): PageWatch {
  const apiCalls: string[] = [];
  const complaints: string[] = [];
  page.on('console', (message) => {
    // Chromium reports violations of the policy here too.
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // What could not be loaded is named by the place alone.
    complaints.push(`${message.text()} (${message.location().url}, on ${page.url()})`);
  });
  page.on('pageerror', (error) => complaints.push(`${error.stack ?? String(error)} (on ${page.url()})`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!['data:', 'blob:'].includes(url.protocol) && url.origin !== origin) complaints.push(`asked ${request.url()}`);
    if (/^\/(?:dashboard\/)?api\//.test(url.pathname))
      apiCalls.push(`${request.method()} ${url.pathname}${url.search}`);
  });
  return {
    apiCalls,
    complaints,
    forget: () => {
      complaints.length = 0;
    },
    expectNothingWrong: () => expect(complaints).toEqual([]),
  };
}

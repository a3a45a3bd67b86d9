import { chromium, type BrowserContext, type Page } from '@playwright/test';
import { chromiumFlags } from '../dev/find-chromium';
import { pause } from './child';
import { visitsOf, type Found, type Visit } from './dashboard-visits';

/** A request of a page for data: a path under /dashboard/api with its query. */
export interface PageCall {
  readonly page: string;
  readonly path: string;
}

/** How often an open page asks for data. */
export interface TabRate {
  readonly page: string;
  readonly perMinute: number;
}

/** The stream of changes: one tab has it, and its answer does not end. */
const STREAM = '/dashboard/api/live';
/** A page without a request for so long has loaded. */
const QUIET_MS = 700;
/** What a person would need is there within this time, or it is not on the page. */
const PATIENCE_MS = 8_000;
/** For a page to open on a busy machine. */
const OPENING_MS = 120_000;
const SETTLING_MS = 3_000;

export type PageWalker = Awaited<ReturnType<typeof startPageWalker>>;

/** Opens the dashboard's pages in a browser. @param tokens of sessions, one for each browser */
export async function startPageWalker(options: {
  readonly chromiumPath: string;
  readonly url: string;
  readonly tokens: readonly string[];
  readonly say: (line: string) => void;
}) {
  const { chromiumPath, url, tokens, say } = options;
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags() });
  let used = 0;
  /** A browser of its own. */
  const openContext = async (): Promise<BrowserContext> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce' });
    const value = tokens[used++ % tokens.length]!;
    await context.addCookies([{ name: 'everpost_session', value, url, httpOnly: true, sameSite: 'Strict' }]);
    return context;
  };
  return {
    /** The JavaScript that a first visit of the overview loads, in bytes as they were sent. */
    javascriptOfFirstLoad: async (): Promise<number> => {
      const context = await openContext();
      try {
        return await javascriptOf(await context.newPage(), `${url}/dashboard`);
      } finally {
        await context.close();
      }
    },
    /** Walks through the pages, and collects what they ask for. */
    walk: async (): Promise<{ calls: PageCall[]; pages: Visit[] }> => {
      const context = await openContext();
      const page = await context.newPage();
      try {
        return await walkPages(page, url, say);
      } finally {
        await context.close();
      }
    },
    /** Opens each page in a tab of one browser, and counts the requests of all of them for so many seconds. */
    countTabs: async (pages: readonly Visit[], seconds: number): Promise<TabRate[]> => {
      const context = await openContext();
      try {
        const tabs: Page[] = [];
        for (const { path } of pages) tabs.push(await openTab(context, `${url}${path}`));
        const counts = tabs.map((tab) => watchRequests(tab).count);
        await pause(seconds * 1_000);
        return counts.map((count, at) => ({
          page: pages[at]!.page,
          perMinute: Math.round((count() * 60) / seconds),
        }));
      } finally {
        await context.close();
      }
    },
    close: (): Promise<void> => browser.close(),
  };
}

async function javascriptOf(page: Page, url: string): Promise<number> {
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script')
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  const requests = watchRequests(page);
  await page.goto(url, { timeout: OPENING_MS });
  await page.getByRole('heading', { level: 1 }).waitFor({ timeout: OPENING_MS });
  await requests.quiet();
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** The requests of a page for data, from now on. */
function watchRequests(page: Page) {
  let asked: string[] = [];
  let last = performance.now();
  page.on('request', (request) => {
    last = performance.now();
    const { pathname, search } = new URL(request.url());
    const isData = pathname.startsWith('/dashboard/api/') && pathname !== STREAM && request.method() === 'GET';
    if (isData) asked.push(`${pathname}${search}`);
  });
  page.on('requestfinished', () => (last = performance.now()));
  return {
    take(): string[] {
      const taken = asked;
      asked = [];
      return taken;
    },
    count: (): number => asked.length,
    /** Resolves when the page has asked for nothing for a while. Changes make it ask again: it waits only so long. */
    async quiet(): Promise<void> {
      const giveUpAt = performance.now() + PATIENCE_MS;
      last = performance.now();
      while (performance.now() < giveUpAt && performance.now() - last < QUIET_MS) await pause(50);
    },
  };
}

/** Opens a page, and waits until it has asked for what it shows. */
async function openTab(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url, { timeout: OPENING_MS });
  await page.getByRole('heading', { level: 1 }).waitFor({ timeout: OPENING_MS });
  await pause(SETTLING_MS);
  return page;
}

async function walkPages(page: Page, url: string, say: (line: string) => void) {
  const requests = watchRequests(page);
  const calls: PageCall[] = [];
  const visit = async ({ page: name, path, then }: Visit): Promise<void> => {
    requests.take();
    try {
      await page.goto(`${url}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor({ timeout: OPENING_MS });
      await requests.quiet();
      if (then) {
        await then(page);
        await requests.quiet();
      }
    } catch (error) {
      say(`not on the page: ${name}: ${String(error).split('\n')[0]}`);
    }
    for (const asked of requests.take()) {
      if (!calls.some((call) => withoutTimes(call.path) === withoutTimes(asked)))
        calls.push({ page: name, path: asked });
    }
  };
  page.setDefaultTimeout(PATIENCE_MS);
  page.setDefaultNavigationTimeout(OPENING_MS);
  await page.goto(`${url}/dashboard`);
  const menu = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  await menu.first().waitFor({ timeout: OPENING_MS });
  const linked = await menu.all();
  const pages: Visit[] = [];
  for (const link of linked) {
    const path = (await link.getAttribute('href')) ?? '';
    if (path.startsWith('/dashboard')) pages.push({ page: (await link.innerText()).trim(), path });
  }
  pages.push({ page: 'Settings', path: '/dashboard/settings' });
  for (const it of pages) await visit(it);
  const found = await findOnes(page, url);
  pages.push({ page: 'Event', path: `/dashboard/events/${found.eventId}` });
  pages.push({ page: 'Endpoint', path: `/dashboard/endpoints/${found.endpointId}` });
  for (const it of [...pages.slice(-2), ...visitsOf(found)]) await visit(it);
  return { calls, pages };
}

/** A span until now is another time in each request. */
function withoutTimes(path: string): string {
  return path.replaceAll(/\d{4}-\d\d-\d\dT[^&]*/g, '');
}

async function findOnes(page: Page, url: string): Promise<Found> {
  const ask = async (path: string): Promise<Record<string, readonly Record<string, unknown>[]>> => {
    const answer = await page.request.get(`${url}/dashboard/api${path}`);
    return answer.json() as Promise<Record<string, readonly Record<string, unknown>[]>>;
  };
  const { events } = await ask('/webhooks/events?status=failed');
  const { endpoints } = await ask('/webhooks/endpoints');
  const { replays } = await ask('/webhooks/replays?limit=1');
  return {
    eventId: String(events![0]!['id']),
    endpointId: String(endpoints!.at(-1)!['id']),
    replayId: String(replays![0]!['job_id']),
  };
}

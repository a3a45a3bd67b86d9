import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { axeViolations } from './support/axe';
import { expect, signIn } from './support/dashboard';
import { LOOKS, PAGES, show, test } from './support/every-page';

const ROUTERS = ['router.tsx', 'delivery-routes.tsx'].map((name) =>
  join(__dirname, '..', '..', 'dashboard', 'src', name),
);
/** The address of what is above a page. */
const PREFIXES: Readonly<Record<string, string>> = { rootRoute: '', dashboardRoute: '/dashboard' };

test('every page of the router is looked at', async ({ account }) => {
  const routes = ROUTERS.flatMap((file) => readFileSync(file, 'utf8').split('createRoute(').slice(1));
  const paths = routes
    .filter((route) => route.includes('component: lazyPage'))
    .map((route) => /getParentRoute: \(\) => (\w+),\s+path: '([^']+)'/.exec(route)!)
    .map(([, parent, path]) => PREFIXES[parent!]! + path!.replace(/\/$/, ''));
  expect(paths.length).toBeGreaterThan(10);
  const shown = PAGES.map(({ path }) => path(account).replace(/[#?].*/, ''));
  const missing = paths.filter((path) => {
    const pattern = new RegExp(`^${path.replace(/\$\w+/, '[^/]+')}$`);
    return !shown.some((one) => pattern.test(one));
  });
  expect(missing).toEqual([]);
});

for (const { name, colorScheme, viewport } of LOOKS) {
  test(`axe finds nothing on any page, and nothing sticks out: ${name}`, async ({ page, account }) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    const found: Record<string, string[]> = {};
    let isSignedIn = false;
    for (const shown of PAGES) {
      if (shown.signedIn && !isSignedIn) await signIn(page, account);
      isSignedIn = shown.signedIn;
      await show(page, shown, account);
      const violations = await axeViolations(page);
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (tooWide > 0) violations.push(`${tooWide} pixels too wide`);
      if (violations.length > 0) found[shown.name] = violations;
    }
    expect(found).toEqual({});
  });
}

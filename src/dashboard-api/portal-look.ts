import type { HttpContext } from '../http/request-state';

/** What the portal looks like: nothing of it says whose product it is. */
export interface PortalLook {
  /** Whose pages may frame the portal, and may call the API from a browser. */
  readonly origins: readonly string[];
  readonly name: string;
  readonly logo: PortalLogo | undefined;
  /** `#rrggbb`; undefined for the colour of the dashboard. */
  readonly color: string | undefined;
  /** Where a page goes whose session has ended. */
  readonly refreshUrl: string | undefined;
}

/** A picture. In base64, because settings are sent to other processes (`PROCESSES`). */
export interface PortalLogo {
  readonly type: 'image/svg+xml' | 'image/png';
  readonly base64: string;
}

/** The fixed address of the logo. */
export const LOGO = '/portal/logo';

const NAME_PLACEHOLDER = '%PORTAL_NAME%';
const LOOK_PLACEHOLDER = '%PORTAL_LOOK%';
const ICON_PLACEHOLDER = '%PORTAL_ICON%';
/** No icon: a browser would ask for /favicon.ico. */
const NO_ICON = 'data:,';

/** Writes the look into the page: it is there before the first call, and while no session is. */
export function dressPortal(html: string, { name, logo, color, refreshUrl, origins }: PortalLook): string {
  const look = { name, logo: logo ? LOGO : null, color: color ?? null, refresh_url: refreshUrl ?? null, origins };
  // Functions, because `$&` in a name is not a pattern.
  return html
    .replaceAll(NAME_PLACEHOLDER, () => escaped(name))
    .replaceAll(ICON_PLACEHOLDER, () => (logo ? LOGO : NO_ICON))
    .replace(LOOK_PLACEHOLDER, () => escaped(JSON.stringify(look)));
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}

const DAY_SECONDS = 86_400;

/** Sends the logo, or goes on if there is none. An SVG that is opened by itself runs no script. */
export function sendLogo(ctx: HttpContext, { logo }: PortalLook, next: () => Promise<unknown>): unknown {
  if (!logo) return next();
  ctx.set({
    'Cache-Control': `max-age=${DAY_SECONDS}`,
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'X-Content-Type-Options': 'nosniff',
  });
  ctx.type = logo.type;
  ctx.body = Buffer.from(logo.base64, 'base64');
  return undefined;
}

import type { Surface } from '../api/surface';
import { look } from './look';
import { noteRefusal, tokenHeaders } from './portal-session';

const DASHBOARD = '/dashboard/api/';
const WEBHOOKS = `${DASHBOARD}webhooks/`;

/** The portal calls the API itself, as any program with the session's token can; only a few routes are the portal's own. */
export const portalSurface: Surface = {
  isPortal: true,
  name: look.name,
  addressOf(path) {
    if (path.startsWith(WEBHOOKS)) return `/api/v1/webhooks/${path.slice(WEBHOOKS.length)}`;
    return path.startsWith(DASHBOARD) ? `/portal/api/${path.slice(DASHBOARD.length)}` : path;
  },
  headers: tokenHeaders,
  onRefused: noteRefusal,
};

import { look } from './look';
import { renewSession } from './portal-session';

/** Whether another page frames this one. */
export const isFramed = window.parent !== window;

/**
 * Tells the page around this one. Only pages of listed origins may frame the portal, and the browser delivers a message to
 * the named origin alone.
 */
export function tellParent(type: 'everpost.ready' | 'everpost.session_expired'): void {
  if (!isFramed) return;
  // Not in every browser: elsewhere each listed origin is tried.
  const known = location.ancestorOrigins?.[0];
  const origins = known === undefined ? look.origins : look.origins.filter((origin) => origin === known);
  for (const origin of origins) window.parent.postMessage({ type }, origin);
}

/** Takes new codes from the page around this one alone. */
export function listenToParent(): void {
  if (!isFramed) return;
  addEventListener('message', ({ origin, source, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || !look.origins.includes(origin)) return;
    const { type, code } = (typeof data === 'object' && data !== null ? data : {}) as {
      type?: unknown;
      code?: unknown;
    };
    if (type !== 'everpost.code' || typeof code !== 'string') return;
    renewSession(code).catch(() => undefined);
  });
}

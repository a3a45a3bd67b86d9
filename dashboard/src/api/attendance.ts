const ATTENDED_MS = 60_000;

let lastTouchedAt = Date.now();
for (const event of ['pointerdown', 'keydown', 'wheel'] as const) {
  addEventListener(event, () => (lastTouchedAt = Date.now()), { capture: true, passive: true });
}

/**
 * Headers of requests that no person caused. The page repeats requests by itself when something changes; the session must
 * still end as idle when its user has left.
 */
export function attendanceHeaders(): Record<string, string> {
  return Date.now() - lastTouchedAt > ATTENDED_MS ? { 'Everpost-Unattended': '1' } : {};
}

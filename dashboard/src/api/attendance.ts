const ATTENDED_MS = 60_000;

let lastTouchedAt = Date.now();
for (const event of ['pointerdown', 'keydown', 'wheel'] as const) {
  addEventListener(event, () => (lastTouchedAt = Date.now()), { capture: true, passive: true });
}

/**
 * Headers that tell the server that nobody is at work. The page asks again by itself when something changes; a session
 * must fall idle all the same when its person left.
 */
export function attendanceHeaders(): Record<string, string> {
  return Date.now() - lastTouchedAt > ATTENDED_MS ? { 'Everpost-Unattended': '1' } : {};
}

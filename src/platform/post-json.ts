/** Shorter than a notice is claimed. */
const TIMEOUT_MS = 10_000;

/**
 * Makes a function that posts JSON to a URL of the operator. Its errors don't repeat the URL, which may be secret.
 *
 * @returns a function that resolves at a 2xx, and throws the reason otherwise
 */
export function createJsonPoster(url: string): (body: object) => Promise<void> {
  return async (body) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`the receiver of alerts answered ${answer.status}`);
  };
}

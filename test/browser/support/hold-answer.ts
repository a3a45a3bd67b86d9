import type { Page } from '@playwright/test';

/** An answer of the server that the browser does not get yet. */
interface HeldAnswer {
  /** Resolves when the server has answered. */
  readonly isHeld: Promise<void>;
  /** Hands the answer to the browser. */
  release(): void;
}

/** Lets the server answer a kind of request, and keeps the answers from the browser until `release`. */
export async function holdAnswer(
  page: Page,
  { method, isAsked }: { readonly method: string; readonly isAsked: (url: URL) => boolean },
): Promise<HeldAnswer> {
  let hold = (): void => undefined;
  let release = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => (hold = resolve));
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  await page.route(isAsked, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    const response = await route.fetch();
    hold();
    await isReleased;
    return route.fulfill({ response });
  });
  return { isHeld, release: () => release() };
}

/**
 * The nonce that this page's Content-Security-Policy allows `<style>` elements by. Mantine writes some at run time: the
 * theme's variables, and what depends on the width of the window. Empty on the development server, which has no policy.
 */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

/** The library that keeps the page still behind a dialog looks for its nonce under this name. */
export function shareStyleNonce(): void {
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
}

import { useEffect } from 'react';

/** Long enough for a dialog to hand the focus back itself. */
const WAIT_MS = 50;

/**
 * Keeps the focus in the page when the element that has it is removed, such as the button of a row that is gone: it goes
 * back to where it was before a dialog opened, or to the heading. Otherwise a keyboard would start again at the top.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let current: Element | undefined;
    let outsideDialogs: HTMLElement | undefined;
    const isLost = (): boolean => document.activeElement === document.body;
    const remember = ({ target }: FocusEvent): void => {
      if (!(target instanceof HTMLElement)) return;
      current = target;
      if (!target.closest('[role="dialog"]')) outsideDialogs = target;
    };
    // Somebody pressed beside everything: nothing was removed.
    const forget = (): void => {
      if (isLost() && current?.isConnected) current = undefined;
    };
    const onFocusOut = (): void => void setTimeout(forget);
    const giveBack = (): void => {
      if (!isLost() || !current || current.isConnected) return;
      current = undefined;
      const heading = document.querySelector<HTMLElement>('main h1');
      (outsideDialogs?.isConnected ? outsideDialogs : heading)?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => {
      if (isLost() && current && !current.isConnected) setTimeout(giveBack, WAIT_MS);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', remember);
    document.addEventListener('focusout', onFocusOut);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('focusout', onFocusOut);
    };
  }, []);
}

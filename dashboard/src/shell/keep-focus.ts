import { useEffect } from 'react';

/** Long enough for a dialog to hand the focus back itself. */
const WAIT_MS = 50;

/**
 * Keeps the focus in the page when the element that has it is removed, such as the button of a row that is gone: it goes
 * back to the dialog that is still open, to where it was before a dialog or a menu opened, to the table around that, or to
 * the heading. A button that is disabled while its request runs gets the focus back. Otherwise, keyboard users would start
 * again at the top, or behind the dialog.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let current: HTMLElement | undefined;
    let outsideDialogs: HTMLElement | undefined;
    let table: HTMLElement | null = null;
    const isBusy = (): boolean => current?.isConnected === true && current.matches(':disabled');
    const isLost = (): boolean => document.activeElement === document.body;
    const remember = ({ target }: FocusEvent): void => {
      if (!(target instanceof HTMLElement)) return;
      current = target;
      if (target.closest('[role="dialog"], [role="menu"]')) return;
      outsideDialogs = target;
      table = target.closest<HTMLElement>('[role="region"][tabindex="0"]');
    };
    // A click beside everything: nothing was removed.
    const forget = (): void => {
      if (isLost() && current?.isConnected && !isBusy()) current = undefined;
    };
    const onFocusOut = (): void => void setTimeout(forget);
    const giveBack = (): void => {
      if (!isLost() || !current || isBusy()) return;
      const dialog = document.querySelector<HTMLElement>('[role="dialog"]');
      const inDialog = dialog?.querySelector<HTMLElement>('[data-autofocus]') ?? dialog;
      const heading = document.querySelector<HTMLElement>('main h1');
      const places = [current, inDialog, outsideDialogs, table, heading];
      current = undefined;
      places.find((place) => place?.isConnected)?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => {
      if (isLost() && current) setTimeout(giveBack, WAIT_MS);
    });
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    document.addEventListener('focusin', remember);
    document.addEventListener('focusout', onFocusOut);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('focusout', onFocusOut);
    };
  }, []);
}

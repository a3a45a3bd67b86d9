import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** The first page of a visit is left as the browser opened it. */
let wasNavigated = false;

/**
 * Moves the focus to the heading of a page that was navigated to, so that keyboards go on there and screen readers say
 * where they are.
 */
export function useFocusOnNavigation(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return;
        wasNavigated = true;
        const heading = document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main');
        heading?.focus({ preventScroll: true });
      }),
    [router],
  );
}

/** For the heading of a page: takes the focus over from what was in its place while the page was loading. */
export function useFocusOfLoadingPage() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const isUnclaimed = document.activeElement === document.body || document.activeElement?.matches('main');
    if (wasNavigated && isUnclaimed) heading.current?.focus({ preventScroll: true });
  }, []);
  return heading;
}

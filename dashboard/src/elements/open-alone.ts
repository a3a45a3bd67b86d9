import type { HotkeyItem } from '@mantine/hooks';

/** Inputs in which a key does not write a character. */
const WITHOUT_TEXT = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'range', 'color', 'file']);

/** Opens a dialog unless another one is open: that may hold something that was not saved. */
export function openAlone(open: () => void): () => void {
  return () => {
    if (document.querySelector('[role="dialog"]') === null) open();
  };
}

/**
 * For a key that writes a character too: does something, unless the focus is where people write.
 *
 * @returns what `useHotkeys` takes, with an empty list of ignored elements
 */
export function unlessWriting(key: string, act: () => void): HotkeyItem {
  const onKey = (event: KeyboardEvent): void => {
    if (isText(event.target)) return;
    event.preventDefault();
    act();
  };
  return [key, onKey, { preventDefault: false }];
}

function isText(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !WITHOUT_TEXT.has(target.type);
  return target instanceof HTMLElement && (target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName));
}

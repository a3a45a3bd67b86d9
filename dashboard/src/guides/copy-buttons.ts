const SHOWN_MS = 2_000;

/** Gives each block of code of the page a button that copies it. */
export function addCopyButtons(): void {
  const status = document.createElement('output');
  status.className = 'hidden';
  document.body.append(status);
  for (const block of document.querySelectorAll('main pre')) {
    const frame = document.createElement('div');
    frame.className = 'code';
    block.replaceWith(frame);
    frame.append(block, copyButton(block, status));
  }
}

function copyButton(block: Element, status: HTMLOutputElement): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', () => {
    void copy(block).then((copied) => {
      button.textContent = copied ? 'Copied' : 'Selected';
      status.textContent = copied ? 'Copied' : 'The code is selected. Copy it with Ctrl+C.';
      setTimeout(() => {
        button.textContent = 'Copy';
        status.textContent = '';
      }, SHOWN_MS);
    });
  });
  return button;
}

/**
 * Browsers give the clipboard to pages of HTTPS and of this machine only. Elsewhere the code is selected, so that one key
 * copies it.
 */
async function copy(block: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText((block.textContent ?? '').trimEnd());
    return true;
  } catch {
    getSelection()?.selectAllChildren(block);
    return false;
  }
}

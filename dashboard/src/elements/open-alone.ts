/** Opens a dialog unless another one is open: that may hold something that was not saved. */
export function openAlone(open: () => void): () => void {
  return () => {
    if (document.querySelector('[role="dialog"]') === null) open();
  };
}

/** Modal dialogs: the page behind is out of reach, and focus goes back to where it was. */

/** Opens a dialog with focus on the first element that matches; answers how to close it. */
export function openModal(dialog: HTMLDialogElement, first: string): () => void {
  const before = document.activeElement;
  dialog.showModal();
  dialog.querySelector<HTMLElement>(first)?.focus();
  return () => {
    dialog.close();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  };
}

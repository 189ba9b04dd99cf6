/**
 * While an input method (IME) composes a word, it uses Enter, the arrow keys and Escape itself. Keeps these
 * keys from all handlers of the page, in every field. Safari reveals the key that ends a composition only by
 * its code, 229.
 */
export function keepCompositionKeys(): void {
  const stop = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation();
  };
  window.addEventListener('keydown', stop, { capture: true });
}

/**
 * While an input method (IME) composes a word, it uses Enter, the arrow keys and Escape itself. Hides these keys from
 * the page's own handlers, in every field. Safari reveals the key that ends a composition only by its code, 229.
 */
export function keepCompositionKeys(): void {
  const stop = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation();
  };
  window.addEventListener('keydown', stop, { capture: true });
}

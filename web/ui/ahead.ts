/** Timeout in ms, after which the buffered keys are dropped. */
const PATIENCE = 5_000;

let typed = '';
let end: (() => void) | undefined;

const isField = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && /^(text|search|url|password)$/.test(target.type));

/**
 * Buffers keys typed while a lazy-loaded component with a field loads. Otherwise, the composer would get
 * them. The first field that gets the focus receives them, unless the component takes them earlier with
 * `typedAhead`. If `onEscape` is given, Escape discards the keys and calls it.
 */
export function listenAhead(onEscape?: () => void): void {
  end?.();
  typed = '';
  const keyed = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Backspace') typed = typed.slice(0, -1);
    else if ([...event.key].length === 1) typed += event.key;
    else if (event.key === 'Enter') typed += '\n';
    else if (event.key === 'Escape' && onEscape) {
      typedAhead();
      onEscape();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const focused = ({ target }: FocusEvent) => {
    if (!isField(target)) return;
    const { text } = typedAhead();
    if (text === '') return;
    target.setSelectionRange(target.value.length, target.value.length);
    document.execCommand('insertText', false, text);
  };
  const timer = setTimeout(() => end?.(), PATIENCE);
  addEventListener('keydown', keyed, true);
  addEventListener('focusin', focused, true);
  end = () => {
    clearTimeout(timer);
    removeEventListener('keydown', keyed, true);
    removeEventListener('focusin', focused, true);
    end = undefined;
  };
}

/** True while keys are buffered for a component that is loading. */
export const isAwaited = (): boolean => end !== undefined;

/**
 * The buffered keys, and whether Enter followed them. Ends the buffering: from here on, the field gets the
 * keys.
 */
export function typedAhead(): { text: string; isSent: boolean } {
  end?.();
  const [text = '', ...rest] = typed.split('\n');
  typed = '';
  return { text, isSent: rest.length > 0 };
}

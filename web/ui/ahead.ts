/** After so long, the part is not coming, ms. */
const PATIENCE = 5_000;

let typed = '';
let end: (() => void) | undefined;

/** Keeps the letters that are typed while a part with a field of its own still loads, so that the composer does not get them. */
export function listenAhead(): void {
  end?.();
  typed = '';
  const keyed = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Backspace') typed = typed.slice(0, -1);
    else if ([...event.key].length === 1) typed += event.key;
    else if (event.key === 'Enter') typed += '\n';
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const timer = setTimeout(() => end?.(), PATIENCE);
  addEventListener('keydown', keyed, true);
  end = () => {
    clearTimeout(timer);
    removeEventListener('keydown', keyed, true);
    end = undefined;
  };
}

/** The letters typed ahead, and whether Enter followed them. The field has the keys from here on. */
export function typedAhead(): { text: string; isSent: boolean } {
  end?.();
  const [text = '', ...rest] = typed.split('\n');
  typed = '';
  return { text, isSent: rest.length > 0 };
}

import { Fragment, type ReactNode } from 'react';
import { createStore } from './store.ts';

interface Opened {
  count: number;
  make: (close: () => void) => ReactNode;
}

const opened = createStore<Opened | undefined>(undefined);
let count = 0;

/** Opens a dialog from anywhere, above everything else: `openDialog((close) => <Dialog … onClose={close} />)`. */
export const openDialog = (make: Opened['make']): void => opened.set({ count: ++count, make });

/** Renders the dialogs opened with `openDialog`. Rendered by `Layers`. */
export function DialogLayer() {
  const now = opened.use();
  if (!now) return null;
  const close = () => {
    if (opened.get() === now) opened.set(undefined);
  };
  return <Fragment key={now.count}>{now.make(close)}</Fragment>;
}

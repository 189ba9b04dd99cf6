import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { common } from '../strings/en/common.ts';
import { IconButton } from './Button.tsx';
import { names } from './names.ts';
import { createStore } from './store.ts';
import './Dialog.css';

/** The dialogs that are open, the topmost last: what is above all, such as toasts, has to lie in it. */
export const openDialogs = createStore<readonly HTMLDialogElement[]>([]);

export interface DialogProps {
  title: ReactNode;
  /** Asked for by Escape, by a click outside, by the cross, and by the back gesture of a phone. The parent takes it away. */
  onClose: () => void;
  /** `s`: a question; `m`: a form; `l`: much to look at; `full`: pictures. */
  size?: 's' | 'm' | 'l' | 'full';
  /** Stays open while something is under way. */
  isBusy?: boolean;
  /** A click outside does not close it: for forms with much to type. */
  isFirm?: boolean;
  /** The title is there for those who hear it alone. */
  isTitleHidden?: boolean;
  /** A row of buttons at its end, always in sight. */
  foot?: ReactNode;
  children: ReactNode;
}

/**
 * A modal dialog. It is open while it is rendered: `{isOpen && <Dialog …>}`. The focus goes to the element with `autofocus`, else to the
 * first field, else to the dialog; afterwards it returns to where it was.
 */
export function Dialog({
  title,
  onClose,
  size = 'm',
  isBusy,
  isFirm,
  isTitleHidden,
  foot,
  children,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressed = useRef(false);
  const titleId = useId();
  const ask = () => {
    if (!isBusy) onClose();
  };

  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    const before = document.activeElement;
    element.showModal();
    const first = element.querySelector<HTMLElement>(
      ':is([autofocus], .dialog-body :is(input, textarea, select):not(:disabled, [hidden]))',
    );
    (first ?? element).focus();
    openDialogs.set([...openDialogs.get(), element]);
    return () => {
      openDialogs.set(openDialogs.get().filter((each) => each !== element));
      element.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);

  // A browser closes it by itself at a second Escape. It is rendered, so it has to be open.
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    const element = dialog.current;
    const reopen = () => {
      // The event comes late: by then its place may belong to another dialog.
      if (!element?.isConnected) return;
      if (!element.open) element.showModal();
      latest.current();
    };
    element?.addEventListener('close', reopen);
    return () => element?.removeEventListener('close', reopen);
  }, []);

  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key is Escape, and the browser's
    <dialog
      ref={dialog}
      className={names('dialog', `dialog-${size}`)}
      aria-labelledby={titleId}
      tabIndex={-1}
      onCancel={(event) => {
        // The cancel of a file picker inside bubbles.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        ask();
      }}
      onPointerDown={(event) => {
        pressed.current = event.target === event.currentTarget;
      }}
      onClick={(event) => {
        // A selection that is drawn out of the dialog ends with a click outside, too.
        if (pressed.current && event.target === event.currentTarget && !isFirm) ask();
      }}
    >
      <div className="dialog-box">
        <header className={isTitleHidden ? 'dialog-head dialog-head-bare' : 'dialog-head'}>
          <h2 id={titleId} className={isTitleHidden ? 'only-read' : 'dialog-title'}>
            {title}
          </h2>
          <IconButton icon="x" label={common.close} disabled={isBusy} onClick={ask} />
        </header>
        <div className="dialog-body">{children}</div>
        {foot && <footer className="dialog-foot">{foot}</footer>}
      </div>
    </dialog>,
    document.body,
  );
}

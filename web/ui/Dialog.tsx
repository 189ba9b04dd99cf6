import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { common } from '../strings/en/common.ts';
import { IconButton } from './Button.tsx';
import { names } from './names.ts';
import { createStore } from './store.ts';
import './Dialog.css';

/** The open dialogs, topmost last. Overlays such as toasts must be rendered inside that one to be on top. */
export const openDialogs = createStore<readonly HTMLDialogElement[]>([]);

export interface DialogProps {
  title: ReactNode;
  /** Called on Escape, a click outside, the close button, and a phone's back gesture. The parent stops rendering the dialog. */
  onClose: () => void;
  /** `s`: a question. `m`: a form. `l`: much content. `full`: images. */
  size?: 's' | 'm' | 'l' | 'full';
  /** Stays open while something is pending. */
  isBusy?: boolean;
  /** A click outside does not close it: for forms with a lot to type. */
  isFirm?: boolean;
  /** The title is for screen readers only. */
  isTitleHidden?: boolean;
  /** A row of buttons at the bottom, always visible. */
  foot?: ReactNode;
  children: ReactNode;
}

/**
 * A modal dialog, open while it is rendered: `{isOpen && <Dialog …>}`. The focus moves to the element with `autofocus`, else to the first
 * field, else to the dialog. On close it returns to where it was.
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

  // A browser closes a dialog on a second Escape regardless. It is still rendered, so it has to be reopened.
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    const element = dialog.current;
    const reopen = () => {
      // The event is asynchronous: this element may be unmounted by now.
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
        // The cancel event of a file picker inside bubbles.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        ask();
      }}
      onPointerDown={(event) => {
        pressed.current = event.target === event.currentTarget;
      }}
      onClick={(event) => {
        // Dragging a text selection out of the dialog also ends with a click outside.
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

import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { common } from '../strings/en/common.ts';
import { IconButton } from './Button.tsx';
import { names } from './names.ts';
import { createStore } from './store.ts';
import './Dialog.css';

/**
 * The open dialogs, topmost last. Overlays such as toasts must be rendered inside the topmost dialog to
 * appear above it.
 */
export const openDialogs = createStore<readonly HTMLDialogElement[]>([]);

export interface DialogProps {
  title: ReactNode;
  /**
   * Called on Escape, a click outside, the close button and a phone's back gesture. The parent must then
   * stop rendering the dialog.
   */
  onClose: () => void;
  /** `s` for a question, `m` for a form, `l` for a lot of content, `full` for images. */
  size?: 's' | 'm' | 'l' | 'full';
  /** Keeps the dialog open while something is pending. */
  isBusy?: boolean;
  /** Keeps the dialog open on a click outside. For forms with a lot to type. */
  isFirm?: boolean;
  /** Shows the title to screen readers only. */
  isTitleHidden?: boolean;
  /** A row of buttons at the bottom, always visible. */
  foot?: ReactNode;
  children: ReactNode;
}

/**
 * A modal dialog, open as long as it is rendered: `{isOpen && <Dialog …>}`. On open, it focuses the first element
 * that is a field or has `autofocus`, or else the dialog itself. On close, the focus returns to where it was.
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

  // Browsers close a dialog on a second Escape even if the page cancels it. If still rendered, it has to reopen.
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard equivalent is Escape, which the browser handles
    <dialog
      ref={dialog}
      className={names('dialog', `dialog-${size}`)}
      aria-labelledby={titleId}
      tabIndex={-1}
      onCancel={(event) => {
        // The cancel event of a file picker inside the dialog bubbles up.
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

import { useEffect, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { common, ui as t } from '../strings/en/common.ts';
import { Button, IconButton } from './Button.tsx';
import { openDialogs } from './Dialog.tsx';
import { messageOf } from './errors.ts';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.ts';
import { createStore } from './store.ts';
import './Toast.css';

/** A toast's options besides its text. */
export interface ToastOptions {
  kind?: 'plain' | 'good' | 'bad';
  /** An action, such as "Undo". A toast with an action is shown for twice as long. */
  action?: { label: string; onSelect: () => void };
  /** Duration in ms. By default, errors stay until they are dismissed. */
  stays?: number;
}

interface Shown extends ToastOptions {
  id: number;
  text: string;
}

const SHORT = 5000;
/** The maximum number shown at once. Others are queued, and their time starts when they appear. */
const MOST = 3;

const toasts = createStore<readonly Shown[]>([]);
let ids = 0;

const drop = (id: number) => toasts.set(toasts.get().filter((each) => each.id !== id));

/** Short feedback on the user's last action. */
export const toast = {
  /**
   * Shows a toast until its time is up or it is dismissed. Toasts without an action are deduplicated by their
   * text. Returns a function that dismisses the toast.
   */
  show(text: string, options: ToastOptions = {}): () => void {
    const same = toasts.get().find((each) => each.text === text && !each.action && !options.action);
    if (same) return () => drop(same.id);
    const id = ids++;
    toasts.set([...toasts.get(), { ...options, id, text }]);
    return () => drop(id);
  },
  /** Shows the message of any thrown value. */
  error(error: unknown): () => void {
    return toast.show(messageOf(error), { kind: 'bad' });
  },
};

const pictures: Record<NonNullable<ToastOptions['kind']>, IconName> = {
  plain: 'info',
  good: 'circle-check',
  bad: 'circle-alert',
};

function Card({ id, text, kind = 'plain', action, stays }: Shown) {
  const card = useRef<HTMLLIElement>(null);
  const time = stays ?? (kind === 'bad' ? undefined : action ? 2 * SHORT : SHORT);
  useEffect(() => {
    if (time === undefined) return;
    // The time pauses while the user hovers or focuses the toast, or is in another tab.
    let left = time;
    const timer = setInterval(() => {
      if (document.hidden || card.current?.matches(':hover, :focus-within')) return;
      left -= 250;
      if (left <= 0) drop(id);
    }, 250);
    return () => clearInterval(timer);
  }, [id, time]);
  return (
    <li ref={card} className={`toast toast-${kind}`}>
      <Icon name={pictures[kind]} />
      <span className="toast-text">{text}</span>
      {action && (
        <Button
          size="small"
          kind="quiet"
          className="toast-action"
          onClick={() => {
            drop(id);
            action.onSelect();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton size="small" icon="x" label={t.dismiss} onClick={() => drop(id)} />
    </li>
  );
}

/** Renders the toasts, inside the topmost dialog if one is open. Rendered by `Layers`. */
export function ToastLayer() {
  const all = toasts.use();
  const host = openDialogs.use().at(-1) ?? document.body;
  const region = useRef<HTMLDivElement>(null);
  const shown = all.slice(0, MOST);
  const count = shown.length;
  // Showing the popover again puts it above everything else in the top layer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: moving it to a new host removes it from the top layer
  useLayoutEffect(() => {
    const element = region.current;
    if (!element?.isConnected) return;
    if (element.matches(':popover-open')) element.hidePopover();
    if (count > 0) element.showPopover();
  }, [count, host]);
  return (
    <>
      {createPortal(
        <section
          ref={region}
          key="toasts"
          className="toasts"
          popover="manual"
          aria-label={common.notifications}
        >
          <ul className="toasts-list">
            {shown.map((each) => (
              <Card key={each.id} {...each} />
            ))}
          </ul>
        </section>,
        host,
      )}
      {createPortal(
        <div className="only-read" role="status">
          {shown.at(-1)?.text}
        </div>,
        host,
      )}
    </>
  );
}

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

/** What a toast has beside its text. */
export interface ToastOptions {
  kind?: 'plain' | 'good' | 'bad';
  /** Something to do about it, such as "Undo": the toast then stays twice as long. */
  action?: { label: string; onSelect: () => void };
  /** Milliseconds; an error stays until it is dismissed. */
  stays?: number;
}

interface Shown extends ToastOptions {
  id: number;
  text: string;
}

const SHORT = 5000;
/** So many show at once; the others wait, and their time begins once they show. */
const MOST = 3;

const toasts = createStore<readonly Shown[]>([]);
let ids = 0;

const drop = (id: number) => toasts.set(toasts.get().filter((each) => each.id !== id));

/** Short news of what the person has just done. */
export const toast = {
  /** Shows it until it has been read, or is dismissed; returns what takes it away. The same text again does not show twice. */
  show(text: string, options: ToastOptions = {}): () => void {
    const same = toasts.get().find((each) => each.text === text && !each.action && !options.action);
    if (same) return () => drop(same.id);
    const id = ids++;
    toasts.set([...toasts.get(), { ...options, id, text }]);
    return () => drop(id);
  },
  /** Shows what anything that was thrown says. */
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
    // It waits while somebody reads it, is in it, or looks at another tab.
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

/** Where toasts show, in the topmost dialog if one is open; `Layers` has it. */
export function ToastLayer() {
  const all = toasts.use();
  const host = openDialogs.use().at(-1) ?? document.body;
  const region = useRef<HTMLDivElement>(null);
  const shown = all.slice(0, MOST);
  const count = shown.length;
  // Shown anew, it lies above what has come into the top layer since.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new host takes it out of the top layer
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

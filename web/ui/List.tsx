import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { names } from './names.ts';
import { createTypeahead, type Direction, itemFor, rove, useRoving } from './roving.ts';
import './List.css';

interface ListProps {
  /** The accessible name. */
  label: string;
  direction?: Direction;
  /** Typing letters moves to the next item that starts with them; on by default. */
  hasTypeahead?: boolean;
  className?: string;
  /** `<li>` elements. */
  children: ReactNode;
}

const ITEM = '[data-item]';

/**
 * A list that is a single tab stop, with roving focus: arrows, Home, End and letters move between items. In
 * each `<li>`, the focusable element (a link or button) has `data-item`. The item with `aria-current` is the
 * tab stop and is scrolled into view. Give items the class `list-item` to style them.
 */
export function List({ label, direction = 'vertical', hasTypeahead = true, className, children }: ListProps) {
  const list = useRef<HTMLUListElement>(null);
  const typeahead = useRef(createTypeahead());
  const current = useRef<Element>(null);
  useRoving(list, ITEM);
  useEffect(() => {
    const now = list.current?.querySelector(`${ITEM}[aria-current]:not([aria-current=false])`) ?? null;
    if (now !== current.current) now?.scrollIntoView({ block: 'nearest' });
    current.current = now;
  });
  function keyed(event: KeyboardEvent<HTMLUListElement>): void {
    const root = list.current;
    if (!root || event.defaultPrevented || !(event.target as Element).matches(ITEM)) return;
    const isLetter =
      event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
    const found =
      isLetter && hasTypeahead
        ? typeahead.current(event.key, [...root.querySelectorAll<HTMLElement>(ITEM)])
        : itemFor(event, root, ITEM, direction);
    if (!found) return;
    event.preventDefault();
    rove(root, ITEM, found);
  }
  return (
    <ul ref={list} className={names('list', className)} aria-label={label} onKeyDown={keyed}>
      {children}
    </ul>
  );
}

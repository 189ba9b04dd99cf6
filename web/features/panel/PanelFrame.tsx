import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { common } from '../../strings/en/common.ts';
import { IconButton } from '../../ui/index.ts';
import { ResizeHandle } from './ResizeHandle.tsx';

interface PanelFrameProps {
  /** Identifies the content. When it changes, the focus moves to the content. */
  shows: string;
  title: ReactNode;
  /** Buttons next to the title. */
  tools?: ReactNode;
  /** True if this panel is stacked on another one, which reappears when this panel closes. */
  isAbove?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The header, the shortcuts and the resize handle of a panel. */
export function PanelFrame({ shows, title, tools, isAbove, onClose, children }: PanelFrameProps) {
  const frame = useRef<HTMLElement>(null);
  useFocus(frame, shows);
  useEffect(() => {
    const keyed = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      const target = event.target as Element;
      if (target !== document.body && !frame.current?.contains(target)) return;
      event.preventDefault();
      onClose();
    };
    document.addEventListener('keydown', keyed);
    return () => document.removeEventListener('keydown', keyed);
  }, [onClose]);
  return (
    <section className="side-panel" ref={frame} aria-labelledby="side-panel-title" tabIndex={-1}>
      <ResizeHandle />
      <header className="side-panel-head">
        <span className={isAbove ? 'side-panel-back side-panel-back-always' : 'side-panel-back'}>
          <IconButton icon="arrow-left" label={common.back} onClick={onClose} />
        </span>
        <h2 id="side-panel-title" className="ellipsis side-panel-title">
          {title}
        </h2>
        {tools}
        <span className="side-panel-close">
          <IconButton icon="x" label={common.close} keys="Esc" onClick={onClose} />
        </span>
      </header>
      {children}
    </section>
  );
}

/** Moves the focus into a panel that the user opens, and restores it on close. */
function useFocus(frame: { current: HTMLElement | null }, shows: string): void {
  const before = useRef<Element | null>(null);
  const shown = useRef<string>(undefined);
  useLayoutEffect(() => {
    const active = document.activeElement;
    const isFirst = shown.current === undefined;
    shown.current = shows;
    if (isFirst) before.current = active;
    // After a page load, the focus stays at the start of the page.
    if (isFirst && (active === null || active === document.body)) return;
    if (frame.current?.contains(active) && active !== frame.current) return;
    frame.current?.focus({ preventScroll: true });
  }, [shows, frame]);
  useLayoutEffect(() => {
    const element = frame.current;
    return () => {
      const active = document.activeElement;
      const had = active === document.body || element?.contains(active);
      if (had && before.current instanceof HTMLElement && before.current.isConnected)
        before.current.focus({ preventScroll: true });
    };
  }, [frame]);
}

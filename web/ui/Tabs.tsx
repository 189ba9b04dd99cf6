import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { Badge } from './Badge.tsx';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.ts';
import { itemFor, rove, useRoving } from './roving.ts';
import './Tabs.css';

interface Tab<Id extends string = string> {
  id: Id;
  label: ReactNode;
  icon?: IconName;
  /** A number next to the label; not shown if it is 0. */
  count?: number;
}

interface TabsProps<Id extends string> {
  /** The accessible name of the tab list. */
  label: string;
  tabs: readonly Tab<Id>[];
  selected: Id;
  onSelect: (id: Id) => void;
  /** The selected tab's panel. */
  children: ReactNode;
}

/** Tabs with one visible panel. Arrow keys select a tab; the Tab key moves into the panel. */
export function Tabs<Id extends string>({ label, tabs, selected, onSelect, children }: TabsProps<Id>) {
  const bar = useRef<HTMLDivElement>(null);
  const group = useId();
  useRoving(bar, '[role="tab"]');
  function keyed(event: KeyboardEvent<HTMLDivElement>): void {
    const found = bar.current && itemFor(event, bar.current, '[role="tab"]', 'horizontal', true);
    if (!bar.current || !found) return;
    event.preventDefault();
    rove(bar.current, '[role="tab"]', found);
    found.click();
  }
  return (
    <div className="tabs">
      <div ref={bar} className="tabs-bar" role="tablist" aria-label={label} onKeyDown={keyed}>
        {tabs.map(({ id, label: text, icon, count }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${group}-${id}`}
            aria-selected={id === selected}
            aria-controls={`${group}-panel`}
            className="small muted tabs-tab"
            onClick={() => onSelect(id)}
          >
            {icon && <Icon name={icon} size={16} />}
            {text}
            {count ? <Badge>{count}</Badge> : null}
          </button>
        ))}
      </div>
      <div
        className="tabs-panel"
        role="tabpanel"
        id={`${group}-panel`}
        aria-labelledby={`${group}-${selected}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the panel may contain no focusable element
        tabIndex={0}
      >
        {children}
      </div>
    </div>
  );
}

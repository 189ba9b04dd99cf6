import { type KeyboardEvent, type ReactNode, type Ref, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.ts';
import { names } from './names.ts';
import { type Anchor, Popover } from './Popover.tsx';
import type { Placement } from './place.ts';
import { createTypeahead, itemFor } from './roving.ts';
import './Menu.css';

/** A menu item. */
interface MenuAction {
  label: string;
  onSelect: () => void;
  icon?: IconName;
  /** A keyboard shortcut or another short note. */
  note?: string;
  /** Marks a destructive action. */
  isDanger?: boolean;
  isDisabled?: boolean;
  /** The state of a toggle item, or of a radio item if `isOneOf` is set. */
  isOn?: boolean;
  isOneOf?: boolean;
}

/** A menu's contents: actions, separators and headings. False and undefined are skipped. */
export type MenuItem = MenuAction | 'line' | { heading: string } | false | undefined;

interface MenuListProps {
  label: string;
  items: readonly MenuItem[];
  anchor: Anchor;
  placement?: Placement;
  onClose: () => void;
}

const ITEM = '.menu-item:not([aria-disabled="true"])';

/** A menu next to an element, or at a point for a right-click. Open as long as it is rendered. */
export function MenuList({ label, items, anchor, placement, onClose }: MenuListProps) {
  const list = useRef<HTMLDivElement>(null);
  const typeahead = useRef(createTypeahead());
  const all = () => [...(list.current?.querySelectorAll<HTMLElement>(ITEM) ?? [])];
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the menu opens
  useLayoutEffect(() => {
    const [first] = all();
    // A menu that starts with radio items focuses the selected one.
    const chosen =
      first?.role === 'menuitemradio' && list.current?.querySelector<HTMLElement>('[aria-checked="true"]');
    (chosen || first)?.focus({ preventScroll: true });
  }, []);

  function keyed(event: KeyboardEvent<HTMLDivElement>): void {
    const root = list.current;
    if (!root) return;
    if (event.key === 'Tab') {
      event.preventDefault();
      onClose();
      return;
    }
    const isLetter = event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey;
    const found = isLetter
      ? typeahead.current(event.key, all())
      : itemFor(event, root, ITEM, 'vertical', true);
    if (!found) return;
    event.preventDefault();
    found.focus();
  }

  return (
    <Popover {...{ label, anchor, placement, onClose }} role="menu" className="menu" onKeyDown={keyed}>
      <div ref={list} role="presentation">
        {items.map((item, at) => (
          <Entry key={keyOf(item, at)} item={item} onClose={onClose} />
        ))}
      </div>
    </Popover>
  );
}

const keyOf = (item: MenuItem, at: number): string =>
  typeof item === 'object' && 'label' in item ? item.label : String(at);

function Entry({ item, onClose }: { item: MenuItem; onClose: () => void }) {
  if (!item) return null;
  if (item === 'line') return <hr className="menu-line" />;
  if ('heading' in item)
    return (
      <div className="tiny muted menu-heading" role="presentation">
        {item.heading}
      </div>
    );
  const { label, onSelect, icon, note, isDanger, isDisabled, isOn, isOneOf } = item;
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: only roles that support the attribute get it
    <button
      type="button"
      role={isOn === undefined ? 'menuitem' : isOneOf ? 'menuitemradio' : 'menuitemcheckbox'}
      aria-checked={isOn}
      aria-disabled={isDisabled}
      tabIndex={-1}
      className={names('small menu-item', isDanger && 'menu-item-danger')}
      onPointerMove={(event) => {
        if (!isDisabled) event.currentTarget.focus({ preventScroll: true });
      }}
      onClick={() => {
        if (isDisabled) return;
        // The menu closes first, so the focus is restored before a dialog takes it.
        onClose();
        setTimeout(onSelect);
      }}
    >
      {icon && <Icon name={icon} />}
      <span className="menu-item-label">{label}</span>
      {note && <span className="menu-item-note">{note}</span>}
      {isOn !== undefined && (
        <span className="menu-item-mark">{isOn && <Icon name="check" size={16} />}</span>
      )}
    </button>
  );
}

/** Props of the button that opens a menu. */
interface MenuTrigger {
  ref: Ref<HTMLButtonElement>;
  'aria-haspopup': 'menu';
  'aria-expanded': boolean;
  onClick: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

interface MenuProps {
  label: string;
  /**
   * A function is called when the menu opens, so the rows of a long list do not build their menus in
   * advance.
   */
  items: readonly MenuItem[] | (() => readonly MenuItem[]);
  placement?: Placement;
  /** Renders the button: `(trigger) => <IconButton {...trigger} icon="ellipsis" label="…" />`. */
  children: (trigger: MenuTrigger) => ReactNode;
}

/**
 * A menu's open state and the props of its button. `open` opens it elsewhere: next to an element, or at a
 * point.
 */
export function useMenu(): {
  anchor: Anchor | undefined;
  open: (at: Anchor) => void;
  close: () => void;
  trigger: MenuTrigger;
} {
  const [anchor, setAnchor] = useState<Anchor>();
  const button = useRef<HTMLButtonElement>(null);
  const close = () => setAnchor(undefined);
  const trigger: MenuTrigger = {
    ref: button,
    'aria-haspopup': 'menu',
    'aria-expanded': anchor !== undefined,
    onClick: () => setAnchor(anchor ? undefined : button),
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      setAnchor(button);
    },
  };
  return { anchor, open: setAnchor, close, trigger };
}

/** A button that opens a menu, which supports arrows, Home, End, letters and Escape. */
export function Menu({ label, items, placement, children }: MenuProps) {
  const { anchor, close, trigger } = useMenu();
  return (
    <>
      {children(trigger)}
      {anchor && (
        <MenuList
          {...{ label, placement, anchor }}
          items={typeof items === 'function' ? items() : items}
          onClose={close}
        />
      )}
    </>
  );
}

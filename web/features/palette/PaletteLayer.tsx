import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useRows, useServers, useSession } from '../../replica/hooks.ts';
import type { Route } from '../../routes.ts';
import { common } from '../../strings/en/common.ts';
import { palette as t } from '../../strings/en/menus.ts';
import { typedAhead } from '../../ui/ahead.ts';
import { Dialog, Icon } from '../../ui/index.ts';
import { useStatusItems } from '../presence/index.ts';
import { entriesOf } from './entries.ts';
import { type Entry, ranked } from './rank.ts';
import { typedEntry } from './typed.ts';
import { useFoundPeople } from './useFoundPeople.ts';
import './Palette.css';

const icons = {
  channel: 'hash',
  server: 'server',
  person: 'user',
  action: 'zap',
  setting: 'settings',
  date: 'calendar',
  link: 'link',
} as const;

export interface LayerProps {
  route: Route;
  isAdmin: boolean;
  isOpen: boolean;
  onClose: () => void;
}

export default function PaletteLayer({ isOpen, ...props }: LayerProps) {
  return isOpen ? <OpenPalette {...props} /> : null;
}

function OpenPalette({ route, isAdmin, onClose }: Omit<LayerProps, 'isOpen'>) {
  const [ahead] = useState(typedAhead);
  const [typed, setTyped] = useState(ahead.text);
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const { found, isAsking } = useFound(route, isAdmin, typed);
  const { chosen, choose, move, toFirst } = useChoice(found, onClose);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the selection changes
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, on mount
  useEffect(() => {
    if (ahead.isSent) choose(chosen);
  }, []);
  const optionId = (entry: Entry | undefined) => (entry ? `${listId}-${entry.id}` : undefined);
  return (
    <Dialog title={t.label} isTitleHidden onClose={onClose}>
      <input
        className="palette-input"
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={optionId(chosen)}
        aria-label={t.label}
        placeholder={t.prompt}
        autoComplete="off"
        spellCheck={false}
        autoFocus
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          toFirst();
        }}
        onKeyDown={move}
      />
      <div className="palette-list" id={listId} ref={list} role="listbox" tabIndex={-1} aria-label={t.label}>
        {found.map((entry) => (
          <Option
            key={entry.id}
            entry={entry}
            id={optionId(entry)}
            isChosen={entry === chosen}
            onChoose={() => choose(entry)}
          />
        ))}
      </div>
      {found.length === 0 && !isAsking && <p className="palette-none">{common.noResults}</p>}
      <p className="only-read" role="status">
        {t.found({ count: found.length })}
      </p>
    </Dialog>
  );
}

/** The entry selected with the arrow keys. */
function useChoice(found: readonly Entry[], onClose: () => void) {
  const [at, setAt] = useState(0);
  const chosen = found[Math.min(at, found.length - 1)];
  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    // Waits until the palette has restored the focus. Otherwise, the palette would take the focus from the
    // element that opens next.
    requestAnimationFrame(entry.run);
  };
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Enter') choose(chosen);
    else if (event.key === 'ArrowDown') setAt((at + 1) % Math.max(1, found.length));
    else if (event.key === 'ArrowUp') setAt((at + found.length - 1) % Math.max(1, found.length));
    else return;
    event.preventDefault();
  };
  return { chosen, choose, move, toFirst: () => setAt(0) };
}

/** The entries that match the typed text. */
function useFound(route: Route, isAdmin: boolean, typed: string) {
  const session = useSession();
  const servers = useServers();
  const serverId = 'serverId' in route ? route.serverId : undefined;
  const members = useRows('serverMember', 'serverId', serverId ?? '');
  const statuses = useStatusItems();
  const { isAsking, count } = useFoundPeople(typed, serverId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rebuilds once more people are loaded
  const entries = useMemo(
    () => entriesOf({ session, route, isAdmin, statuses }),
    [session, route, isAdmin, servers, members, count],
  );
  const words = useDeferredValue(typed);
  const found = useMemo(() => {
    const meant = typedEntry({ session, route }, words);
    return meant ? [meant, ...ranked(entries, words)] : ranked(entries, words);
  }, [entries, session, route, words]);
  return { found, isAsking };
}

interface OptionProps {
  entry: Entry;
  id: string | undefined;
  isChosen: boolean;
  onChoose: () => void;
}

const Option = ({ entry, id, isChosen, onChoose }: OptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
  <div
    id={id}
    role="option"
    tabIndex={-1}
    aria-selected={isChosen}
    className="palette-entry"
    onClick={onChoose}
  >
    <Icon name={entry.icon ?? icons[entry.kind]} size={16} />
    <bdi className="ellipsis">{entry.name}</bdi>
    {entry.about && <bdi className="ellipsis palette-about">{entry.about}</bdi>}
  </div>
);

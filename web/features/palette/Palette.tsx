import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useRows, useSession } from '../../replica/hooks.ts';
import { palette as t } from '../../strings/en/palette.ts';
import { Dialog, Icon } from '../../ui/index.ts';
import { entriesOf } from './entries.ts';
import type { Asked } from './from.ts';
import { PaletteDialog } from './PaletteDialog.tsx';
import { bringPeople } from './people.ts';
import { type Entry, ranked } from './rank.ts';
import './Palette.css';

const icons = {
  channel: 'hash',
  server: 'server',
  person: 'user',
  action: 'zap',
  setting: 'settings',
} as const;

interface PaletteProps {
  /** The server that is open. */
  serverId: string | undefined;
  /** Runs the platform: its pages are found, too. */
  isAdmin: boolean;
}

/** Opens by Ctrl K anywhere: goes to any channel, person, server or setting, and does any action, by some letters of its name. */
export function Palette(props: PaletteProps) {
  const [asked, setAsked] = useState<Asked>();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = (event: globalThis.KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        event.altKey
      )
        return;
      event.preventDefault();
      setOpen((before) => !before);
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);
  if (isOpen) return <OpenPalette {...props} ask={setAsked} onClose={() => setOpen(false)} />;
  return asked ? <PaletteDialog asked={asked} onClose={() => setAsked(undefined)} /> : null;
}

interface OpenProps extends PaletteProps {
  ask: (asked: Asked) => void;
  onClose: () => void;
}

function OpenPalette({ serverId, isAdmin, ask, onClose }: OpenProps) {
  const session = useSession();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const members = useRows('serverMember', 'serverId', serverId ?? '');
  useEffect(() => {
    if (serverId !== undefined) bringPeople(session, serverId);
  }, [session, serverId]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: people are found as soon as they are known
  const entries = useMemo(
    () => entriesOf({ session, serverId, isAdmin, ask }),
    [session, serverId, isAdmin, ask, members],
  );
  const words = useDeferredValue(typed);
  const found = useMemo(() => ranked(entries, words), [entries, words]);
  const chosen = found[Math.min(at, found.length - 1)];
  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    // Once the palette has given the focus back, so that what opens next can take it.
    requestAnimationFrame(entry.run);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another entry is chosen
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const move = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') choose(chosen);
    else if (event.key === 'ArrowDown') setAt((at + 1) % Math.max(1, found.length));
    else if (event.key === 'ArrowUp') setAt((at + found.length - 1) % Math.max(1, found.length));
    else return;
    event.preventDefault();
  };
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
          setAt(0);
        }}
        onKeyDown={move}
      />
      <div className="palette-list" id={listId} ref={list} role="listbox" tabIndex={-1} aria-label={t.label}>
        {found.map((entry) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          <div
            key={entry.id}
            id={optionId(entry)}
            role="option"
            tabIndex={-1}
            aria-selected={entry === chosen}
            className="palette-entry"
            onClick={() => choose(entry)}
          >
            <Icon name={icons[entry.kind]} size={16} />
            <bdi className="palette-name">{entry.name}</bdi>
            {entry.about && <bdi className="palette-about">{entry.about}</bdi>}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="palette-none">{t.none}</p>}
      <p className="only-read" role="status">
        {t.found(found.length)}
      </p>
    </Dialog>
  );
}

import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { Records } from '../../api/records.ts';
import { useSession } from '../../replica/hooks.ts';
import type { TimelineRef } from '../../replica/types.ts';
import { message as t } from '../../strings/en/conversation.ts';
import { IconButton, type MenuItem, MenuList } from '../../ui/index.ts';
import { late } from '../../ui/late.tsx';
import { EmojiFace, EmojiPicker, isUsable, keepEmoji, recentEmoji, useCustomEmoji } from '../emoji/index.ts';
import { toggleReaction, useMayReact, WhoReacted } from '../reaction/index.ts';
import { useUserId } from '../session/index.ts';
import { type MessageAction, useMessageActions } from './useMessageActions.ts';
import { useSeesEdits } from './useSeesEdits.ts';
import './Tools.css';

const Edits = late(() => import('./Edits.tsx'));

/** The number of emoji offered for a one-click reaction. */
const EMOJI = 3;

/** The overlay that is open for a message. */
type Shown = 'picker' | 'who' | 'edits';

interface ToolsProps {
  message: Records['ShownMessage'];
  place: TimelineRef;
  /** The row. While it has the focus, keys act as shortcuts for the actions. */
  row: RefObject<HTMLElement | null>;
  /** True while the menu is open. The button and a long press on the row open it. */
  isMenuOpen: boolean;
  onMenu: (isOpen: boolean) => void;
  /** Called when an overlay opens or closes. While one is open, the row keeps its tools. */
  onHold: (isHeld: boolean) => void;
}

/** The actions for a message: a toolbar at its corner, a menu, and keyboard shortcuts. */
export function Tools({ message, place, row, isMenuOpen, onMenu, onHold }: ToolsProps) {
  const session = useSession();
  const actions = useMessageActions(message, place);
  const mayReact = useMayReact(message).allowed;
  const seesEdits = useSeesEdits(message);
  const [open, setShown] = useState<Shown>();
  const setOpen = useCallback(
    (next: Shown | undefined) => {
      setShown(next);
      onHold(next !== undefined);
    },
    [onHold],
  );
  const more = useRef<HTMLButtonElement>(null);
  const picker = useRef<HTMLButtonElement>(null);
  const react = (emoji: string) => {
    keepEmoji(emoji);
    toggleReaction(session, { messageId: message.id, serverId: message.serverId, emoji });
  };
  useKeys(row, actions, mayReact, setOpen);
  const userId = useUserId();
  const direct = actions.filter(
    ({ id, refused }) =>
      refused === undefined &&
      (id === 'reply' || id === 'thread' || (id === 'edit' && message.creatorId === userId)),
  );
  return (
    <div className="message-actions" role="toolbar" aria-label={t.actions}>
      {mayReact && (
        <ReactButtons
          serverId={message.serverId}
          picker={picker}
          isPicking={open === 'picker'}
          onReact={react}
          onPick={() => setOpen(open === 'picker' ? undefined : 'picker')}
        />
      )}
      {direct.map(({ id, label, icon, key, run }) => (
        <IconButton
          key={id}
          size="small"
          icon={icon}
          label={label}
          keys={key?.toUpperCase()}
          onClick={({ shiftKey }) => run(shiftKey)}
        />
      ))}
      <IconButton
        ref={more}
        size="small"
        icon="ellipsis"
        label={t.more}
        aria-haspopup="menu"
        aria-expanded={isMenuOpen}
        onClick={() => onMenu(!isMenuOpen)}
      />
      {isMenuOpen && (
        <MenuList
          label={t.more}
          items={itemsFor(message, actions, { mayReact, seesEdits }, setOpen)}
          anchor={more}
          placement="below-end"
          onClose={() => onMenu(false)}
        />
      )}
      {open && <Opened {...{ open, message, picker }} onPick={react} onClose={() => setOpen(undefined)} />}
    </div>
  );
}

interface OpenedProps {
  open: Shown;
  message: Records['ShownMessage'];
  picker: RefObject<HTMLElement | null>;
  onPick: (emoji: string) => void;
  onClose: () => void;
}

function Opened({ open, message, picker, onPick, onClose }: OpenedProps) {
  if (open === 'picker')
    return <EmojiPicker anchor={picker} serverId={message.serverId} onPick={onPick} onClose={onClose} />;
  const Dialog = open === 'who' ? WhoReacted : Edits;
  return <Dialog message={message} onClose={onClose} />;
}

interface ReactButtonsProps {
  serverId: string;
  /** The button that opens the picker. */
  picker: RefObject<HTMLButtonElement | null>;
  isPicking: boolean;
  onReact: (emoji: string) => void;
  onPick: () => void;
}

function ReactButtons({ serverId, picker, isPicking, onReact, onPick }: ReactButtonsProps) {
  const custom = useCustomEmoji(serverId);
  const recent = recentEmoji(EMOJI, (emoji) => isUsable(custom, emoji));
  return (
    <>
      {recent.map((emoji) => (
        <button
          key={emoji}
          type="button"
          className="message-actions-emoji"
          aria-label={t.reactWith({ emoji })}
          onClick={() => onReact(emoji)}
        >
          <EmojiFace text={emoji} custom={custom} />
        </button>
      ))}
      <IconButton
        ref={picker}
        size="small"
        icon="smile-plus"
        label={t.react}
        keys="+"
        aria-expanded={isPicking}
        onClick={onPick}
      />
    </>
  );
}

/** The keyboard shortcuts for the actions, while the row has the focus. */
function useKeys(
  row: ToolsProps['row'],
  actions: readonly MessageAction[],
  mayReact: boolean,
  open: (what: Shown) => void,
): void {
  // This is a layout effect, because the row already has the focus and a key may come at any time.
  useLayoutEffect(() => {
    const element = row.current;
    const keyed = (event: KeyboardEvent) => {
      if (event.target !== element || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === '+' && mayReact) open('picker');
      else {
        const action = actions.find(({ key }) => key === event.key);
        if (!action || action.refused !== undefined) return;
        action.run(event.shiftKey);
      }
      event.preventDefault();
    };
    element?.addEventListener('keydown', keyed);
    return () => element?.removeEventListener('keydown', keyed);
  }, [row, actions, mayReact, open]);
}

const itemsFor = (
  { reactions, editedAt }: Records['ShownMessage'],
  actions: readonly MessageAction[],
  { mayReact, seesEdits }: { mayReact: boolean; seesEdits: boolean },
  open: (what: Shown) => void,
): MenuItem[] => [
  mayReact && { label: t.react, icon: 'smile-plus', note: '+', onSelect: () => open('picker') },
  reactions.length > 0 && { label: t.who, icon: 'users', onSelect: () => open('who') },
  editedAt !== null && seesEdits && { label: t.edits, icon: 'rotate-ccw', onSelect: () => open('edits') },
  ...actions.flatMap((action) =>
    action.id === 'text' || action.id === 'delete' ? ['line' as const, itemOf(action)] : [itemOf(action)],
  ),
];

const itemOf = ({ label, icon, key, isDanger, refused, run }: MessageAction): MenuItem => ({
  ...{ label, icon, note: refused ?? key?.toUpperCase().replace('DELETE', 'Del') },
  isDisabled: refused !== undefined,
  isDanger: isDanger === true,
  onSelect: () => run(false),
});

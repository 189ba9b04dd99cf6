import { useRef, useState } from 'react';
import { PalaverError, type Records } from '../../api/index.ts';
import { useRows, useSession } from '../../replica/hooks.ts';
import { common } from '../../strings/en/common.ts';
import { reaction as t } from '../../strings/en/conversation.ts';
import { IconButton, refusalOf } from '../../ui/index.ts';
import { EmojiFace, EmojiPicker, useCustomEmoji } from '../emoji/index.ts';
import { nameIn } from '../member/index.ts';
import { type Chip, chipsOf } from './chips.ts';
import { readReactors } from './reactors.ts';
import { toggleReaction, useWishes } from './toggle.ts';
import { useMayReact } from './useMayReact.ts';
import './Reactions.css';

/** The number of names that a reaction's tooltip lists. The remaining users are counted. */
const NAMED = 8;

const none: ReadonlyMap<string, string> = new Map();

/** The reactions to a message. A click toggles the user's own reaction; hovering shows who reacted. */
export function Reactions({ message }: { message: Records['ShownMessage'] }) {
  const own = useRows('reaction', 'messageId', message.id);
  const wishes = useWishes(message.id);
  const chips = chipsOf(message.reactions, new Set(own.map(({ emoji }) => emoji)), wishes);
  if (chips.length === 0) return null;
  return <Row message={message} chips={chips} />;
}

function Row({ message, chips }: { message: Records['ShownMessage']; chips: readonly Chip[] }) {
  const session = useSession();
  const may = useMayReact(message);
  const [isPicking, setPicking] = useState(false);
  const add = useRef<HTMLButtonElement>(null);
  const { id: messageId, serverId } = message;
  const { tips, tell, forget } = useTips(message);
  const custom = useCustomEmoji(serverId);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons, not of form fields
    <div className="reactions" role="group" aria-label={t.reactions} onPointerLeave={forget}>
      {chips.map((chip) => {
        const { emoji, count, isMine } = chip;
        const isOpen = may.allowed || isMine;
        const label = (isMine ? t.chipWithMine : t.chip)({ emoji, count });
        return (
          <button
            key={emoji}
            type="button"
            className={isMine ? 'reaction reaction-mine' : 'reaction'}
            aria-pressed={isMine}
            aria-label={label}
            aria-disabled={!isOpen}
            data-tip={isOpen ? tips.get(emoji) || label : refusalOf(may)}
            onPointerEnter={() => tell(chip)}
            onFocus={() => tell(chip)}
            onClick={() => isOpen && toggleReaction(session, { messageId, serverId, emoji })}
          >
            <bdi className="ellipsis reaction-emoji">
              <EmojiFace text={emoji} custom={custom} />
            </bdi>
            <span className="reaction-count">{count}</span>
          </button>
        );
      })}
      {may.allowed && (
        <IconButton
          ref={add}
          size="small"
          icon="smile-plus"
          label={t.add}
          className="reaction-add"
          aria-expanded={isPicking}
          onClick={() => setPicking(!isPicking)}
        />
      )}
      {isPicking && (
        <EmojiPicker
          anchor={add}
          serverId={serverId}
          onClose={() => setPicking(false)}
          onPick={(emoji) => {
            if (!chips.some((chip) => chip.emoji === emoji && chip.isMine))
              toggleReaction(session, { messageId, serverId, emoji });
          }}
        />
      )}
    </div>
  );
}

/** The users who reacted, loaded on hover. */
function useTips({ id: messageId, serverId }: Records['ShownMessage']) {
  const session = useSession();
  const [tips, setTips] = useState<ReadonlyMap<string, string>>(none);

  async function tell({ emoji, count }: Chip): Promise<void> {
    if (tips.has(emoji)) return;
    const put = (text?: string) =>
      setTips((now) => {
        const next = new Map(now);
        if (text === undefined) next.delete(emoji);
        else next.set(emoji, text);
        return next;
      });
    put('');
    try {
      const reactors = await readReactors(session, { serverId, messageId, emoji }, { limit: NAMED });
      const names = reactors.map(({ userId }) => nameIn(session, serverId, userId) ?? common.somebody);
      put(names.length > 0 ? whoOf(names, count, emoji) : '');
    } catch (error) {
      if (!(error instanceof PalaverError)) throw error;
      put();
    }
  }
  return { tips, tell, forget: () => setTips(none) };
}

/** The text of the tooltip: these names, and the number of other users. */
function whoOf(names: readonly string[], count: number, emoji: string): string {
  const more = count - names.length;
  return t.who({ names: more > 0 ? [...names, t.others({ count: more })] : names, emoji });
}

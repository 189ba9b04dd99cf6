import { useRef, useState } from 'react';
import { PalaverError, type Records } from '../../api/index.ts';
import { useMay } from '../../may/index.ts';
import { useRow, useRows, useSession } from '../../replica/hooks.ts';
import { reaction as t } from '../../strings/en/reaction.ts';
import { IconButton, refusalOf } from '../../ui/index.ts';
import { EmojiPicker } from '../emoji/index.ts';
import { type Chip, chipsOf } from './chips.ts';
import { readReactors } from './reactors.ts';
import { toggleReaction, useWishes } from './toggle.ts';
import './Reactions.css';

/** Names in the tip of a reaction; the others are counted. */
const NAMED = 8;

/** The reactions to a message: a click adds one's own or takes it away, a rest on one tells whose they are. */
export function Reactions({ message }: { message: Records['ShownMessage'] }) {
  const own = useRows('reaction', 'messageId', message.id);
  const wishes = useWishes(message.id);
  const chips = chipsOf(message.reactions, new Set(own.map(({ emoji }) => emoji)), wishes);
  if (chips.length === 0) return null;
  return <Row message={message} chips={chips} />;
}

function Row({ message, chips }: { message: Records['ShownMessage']; chips: readonly Chip[] }) {
  const session = useSession();
  const channel = useRow('channel', message.channelId);
  const allowed = useMay(message.serverId, 'reaction insert', channel ? { channel } : {});
  const [tips, setTips] = useState<ReadonlyMap<string, string>>();
  const [isPicking, setPicking] = useState(false);
  const add = useRef<HTMLButtonElement>(null);
  const { id: messageId, serverId } = message;

  async function tell(): Promise<void> {
    if (tips) return;
    setTips(new Map());
    try {
      const reactors = await readReactors(session, serverId, messageId);
      const told = chips.map(({ emoji, count }) => {
        const names = reactors
          .filter((one) => one.emoji === emoji)
          .map(({ userId }) => session.replica.row('user', userId)?.name ?? t.somebody)
          .slice(0, NAMED);
        return [emoji, names.length > 0 ? t.who(names, count - names.length, emoji) : ''] as const;
      });
      setTips(new Map(told));
    } catch (error) {
      if (!(error instanceof PalaverError)) throw error;
      setTips(undefined);
    }
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons, not of fields
    <div
      className="reactions"
      role="group"
      aria-label={t.reactions}
      onPointerLeave={() => setTips(undefined)}
    >
      {chips.map(({ emoji, count, isMine }) => (
        <button
          key={emoji}
          type="button"
          className={isMine ? 'reaction reaction-mine' : 'reaction'}
          aria-pressed={isMine}
          aria-label={t.chip(emoji, count, isMine)}
          aria-disabled={!(allowed.allowed || isMine)}
          data-tip={
            allowed.allowed || isMine ? tips?.get(emoji) || t.chip(emoji, count, isMine) : refusalOf(allowed)
          }
          onPointerEnter={tell}
          onFocus={tell}
          onClick={() => {
            if (allowed.allowed || isMine) toggleReaction(session, { messageId, serverId, emoji });
          }}
        >
          <span className="reaction-emoji">{emoji}</span>
          <span className="reaction-count">{count}</span>
        </button>
      ))}
      {allowed.allowed && (
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

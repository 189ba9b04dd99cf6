import { type KeyboardEvent, memo, useRef, useState } from 'react';
import { useActions, useHasRead, useRow, useSession } from '../../../replica/hooks.ts';
import type { Rows } from '../../../replica/types.ts';
import { navigate, pathOf } from '../../../routes.ts';
import { common } from '../../../strings/en/common.ts';
import { notification as t } from '../../../strings/en/frame.ts';
import { ago, dateTime } from '../../../strings/format.ts';
import { Avatar, IconButton, toast, useNarrow, WithName } from '../../../ui/index.ts';
import { useBeside, useLine } from '../../member/index.ts';
import { goTo } from '../goTo.ts';
import { groupTold } from '../groupTold.ts';
import { pageOf } from '../pageOf.ts';
import type { Excerpt } from './useAllPages.ts';

const NONE: Excerpt = { content: '' };

interface InboxRowProps {
  notification: Rows['notification'];
  /** The start of the message, or its files, in case the message is not cached. */
  excerpt: Excerpt | undefined;
  onlyUnread: boolean;
  /** Called with the ID of a notification whose message the user opens. */
  onOpen: (id: string) => void;
}

/** The types that stay unread when their message is read. */
const lasting: ReadonlySet<string> = new Set(['reaction', 'reminder', 'schedule', 'report', 'flow']);

/**
 * A notification: actor, action, location and the start of the message. A click jumps to the message. M marks it as
 * read, and Delete removes it.
 */
export const InboxRow = memo(function InboxRow(props: InboxRowProps) {
  const { notification, excerpt = NONE, onlyUnread, onOpen } = props;
  const { id, serverId, channelId, messageId, actorId, type, readAt, createdAt } = notification;
  const session = useSession();
  const { readNotifications, clearNotifications } = useActions();
  const row = useRef<HTMLLIElement>(null);
  // Only the buttons of the focused row are tab stops.
  const [hasFocus, setFocus] = useState(false);
  const isNarrow = useNarrow();
  const { user: actor, name } = useBeside(serverId, actorId, common.somebody);
  const channel = useRow('channel', channelId);
  const server = useRow('server', serverId);
  const message = useRow('message', messageId);
  // A reaction concerns one of the user's messages.
  const creatorId = message?.creatorId ?? (type === 'reaction' ? '' : actorId);
  const text = useLine(serverId, { ...(message ?? excerpt), creatorId });
  const group = type === 'mention' ? groupTold(session, serverId, (message ?? excerpt).content) : undefined;
  // Reading the message marks its notification as read.
  const hasRead = useHasRead(channelId, messageId);
  const isUnread = readAt === null && (lasting.has(type) || !hasRead);
  const page = pageOf(notification);
  const isOfMessage = page.page === 'server';
  // The user may have lost access to the channel.
  if (!server || !(channel || !isOfMessage)) return null;
  if (onlyUnread && !isUnread) return null;
  /** Keeps the focus in the list: on this row, or on the next row if this row disappears. */
  const keepFocus = (isLeaving: boolean) => {
    const { current } = row;
    if (!current?.contains(document.activeElement)) return;
    const next = isLeaving ? (current.nextElementSibling ?? current.previousElementSibling) : current;
    next?.querySelector<HTMLElement>('[data-item]')?.focus();
  };
  const read = () => {
    keepFocus(onlyUnread);
    void readNotifications(serverId, [id]).catch(toast.error);
  };
  const remove = () => {
    keepFocus(true);
    void clearNotifications(serverId, [id]).catch(toast.error);
  };
  const keyed = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.key === 'Delete') remove();
    else if (event.key.toLowerCase() === 'm' && isUnread) read();
    else return;
    event.preventDefault();
  };
  const tabIndex = hasFocus ? 0 : -1;
  const open = () => {
    onOpen(id);
    if (readAt === null) readNotifications(serverId, [id]).catch(() => undefined);
    if (!isOfMessage) navigate(page);
    else void goTo(session, { id: messageId, serverId, channelId }, isNarrow ? undefined : 'inbox');
  };
  return (
    <li
      ref={row}
      className={isUnread ? 'inbox-row inbox-row-unread' : 'inbox-row'}
      onFocus={() => setFocus(true)}
      onBlur={() => setFocus(false)}
    >
      <Avatar id={actorId} name={name} src={actor?.image} size={32} isAgent={actor?.type === 'agent'} />
      <div className="inbox-row-body">
        <a
          className="inbox-row-link"
          data-item
          data-notification={id}
          onKeyDown={keyed}
          href={pathOf(page.page === 'server' ? { ...page, messageId } : page)}
          onClick={(event) => {
            if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
              return;
            event.preventDefault();
            open();
          }}
        >
          {isUnread && <span className="only-read">{t.unread}</span>}
          {type === 'schedule' ? (
            t.told.schedule
          ) : group === undefined ? (
            <WithName words={t.told[type]} values={{ name }} />
          ) : (
            <WithName words={t.told.group} values={{ name, group }} />
          )}
        </a>
        {text !== '' && (
          <p className="inbox-row-text" dir="auto">
            {text}
          </p>
        )}
        <p className="inbox-row-where">
          <span className="ellipsis">
            {channel && channel.kind !== 'dm' && type !== 'report' && type !== 'flow' && (
              <>
                <bdi>{channel.name}</bdi> ·{' '}
              </>
            )}
            <bdi>{server.name}</bdi>
          </span>
          <time dateTime={new Date(createdAt).toISOString()} title={dateTime(createdAt)}>
            {ago(createdAt)}
          </time>
        </p>
      </div>
      <span className="inbox-row-tools">
        {isUnread && (
          <IconButton icon="check" label={t.read} keys="M" size="small" tabIndex={tabIndex} onClick={read} />
        )}
        <IconButton
          icon="x"
          label={common.remove}
          keys="Del"
          size="small"
          tabIndex={tabIndex}
          onClick={remove}
        />
      </span>
    </li>
  );
});

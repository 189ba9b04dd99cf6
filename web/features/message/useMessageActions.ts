import { useContext } from 'react';
import { api, type Records } from '../../api/index.ts';
import { type Permission, useMay } from '../../may/index.ts';
import { useActions, useRow, useRows, useSession } from '../../replica/hooks.ts';
import type { TimelineRef } from '../../replica/types.ts';
import { pathOf, type Route } from '../../routes.ts';
import { common } from '../../strings/en/common.ts';
import { message as t } from '../../strings/en/conversation.ts';
import { copyText, type IconName, toast } from '../../ui/index.ts';
import { startEditing } from '../editing/index.ts';
import { useUserId } from '../session/index.ts';
import { askToDelete, deleteAtOnce } from './deleting.ts';
import { DoingContext } from './doing.ts';
import { openThreadOf } from './openThread.ts';

/** An action that can be performed on a message. */
export interface MessageAction {
  readonly id:
    | 'reply'
    | 'quote'
    | 'thread'
    | 'edit'
    | 'pin'
    | 'text'
    | 'link'
    | 'forward'
    | 'unread'
    | 'save'
    | 'remind'
    | 'report'
    | 'delete';
  readonly label: string;
  readonly icon: IconName;
  /** The key that triggers the action while the message has the focus. */
  readonly key?: string;
  readonly isDanger?: boolean;
  /** The server's explanation of why the action is forbidden. */
  readonly refused?: string | undefined;
  /** Performs the action. `isFast`, set while Shift is held, skips the confirmation. */
  run(isFast: boolean): void;
}

const refusedBy = ({ allowed, message, rule }: Permission): string | undefined =>
  allowed ? undefined : message || rule || ' ';

async function copy(text: string): Promise<void> {
  const isDone = await copyText(text);
  toast.show(isDone ? common.copied : t.copyFailed, { kind: isDone ? 'good' : 'bad', stays: 2000 });
}

const later = () => import('../later/save/index.tsx');

function usePermissions(message: Records['ShownMessage'], isPinned: boolean) {
  const { serverId, channelId, creatorId, threadId } = message;
  const channel = useRow('channel', channelId);
  const inThread = useRow('thread', threadId);
  const target = channel ? { channel } : {};
  const locked = inThread ? { lockedThread: { isLocked: inThread.locked } } : {};
  return {
    reply: useMay(serverId, 'message insert', target, locked),
    edit: useMay(serverId, 'message update', { ...target, ownerId: creatorId }, locked),
    delete: useMay(serverId, 'message delete', { ...target, ownerId: creatorId }),
    thread: useMay(serverId, 'thread insert', target),
    pin: useMay(serverId, isPinned ? 'pin delete' : 'pin insert', target),
  };
}

/** All actions for a message, in display order. Each forbidden action has a reason. */
export function useMessageActions(
  message: Records['ShownMessage'],
  place: TimelineRef,
): readonly MessageAction[] {
  const { id, serverId, channelId, threadId } = message;
  const actions = useActions();
  const doing = useContext(DoingContext);
  const userId = useUserId();
  const [thread] = useRows('thread', 'messageId', id);
  const [pin] = useRows('pin', 'messageId', id);
  const [saved] = useRows('saved', 'messageId', id);
  const session = useSession();
  const may = usePermissions(message, pin !== undefined);
  const server = { page: 'server', serverId, channelId } satisfies Route;
  const failed = (error: unknown) => void toast.error(error);
  const togglePin = () =>
    pin
      ? Promise.resolve(api(serverId).pinDelete({ id: pin.id }))
      : actions.load(
          () => api(serverId).pinInsert({ messageId: id }),
          (row) => ({ pin: [row] }),
        );
  const link = () =>
    location.origin +
    pathOf({ ...server, ...(threadId === null ? { messageId: id } : { threadId, replyId: id }) });

  const all: (MessageAction | false)[] = [
    doing.reply !== undefined && {
      ...{ id: 'reply', label: t.reply, icon: 'reply', key: 'r', refused: refusedBy(may.reply) },
      run: () => doing.reply?.(message),
    },
    doing.quote !== undefined &&
      message.content !== '' && {
        ...{ id: 'quote', label: t.quote, icon: 'quote', key: 'q', refused: refusedBy(may.reply) },
        run: () => doing.quote?.(message),
      },
    threadId === null && {
      ...{ id: 'thread', label: thread ? t.openThread : t.thread, icon: 'messages-square', key: 't' },
      refused: thread ? undefined : refusedBy(may.thread),
      run: () => void openThreadOf(message, thread),
    },
    {
      ...{ id: 'edit', label: t.edit, icon: 'pencil', key: 'e', refused: refusedBy(may.edit) },
      run: () => startEditing(message),
    },
    {
      ...{ id: 'pin', label: pin ? t.unpin : t.pin, icon: pin ? 'pin-off' : 'pin', key: 'p' },
      refused: refusedBy(may.pin),
      run: () => void togglePin().catch(failed),
    },
    message.content !== '' && {
      ...{ id: 'text', label: t.copyText, icon: 'copy', key: 'c' },
      run: () => void copy(message.content),
    },
    {
      ...{ id: 'forward', label: t.forward, icon: 'forward', key: 'f' },
      run: () =>
        void import('./ForwardDialog.tsx').then(({ askToForward }) => askToForward(message, link()), failed),
    },
    { id: 'link', label: t.copyLink, icon: 'link', key: 'l', run: () => void copy(link()) },
    {
      ...{ id: 'unread', label: t.markUnread, icon: 'mail-open', key: 'u' },
      run: () => void actions.markUnread(place, id).catch(failed),
    },
    {
      ...{ id: 'save', label: saved ? t.unsave : t.save, icon: 'bookmark', key: 's' },
      run: () =>
        void later()
          .then(({ toggleSaved }) => toggleSaved(session, id))
          .catch(failed),
    },
    {
      ...{ id: 'remind', label: t.remind, icon: 'bell' },
      run: () =>
        void later()
          .then(({ askForReminder }) => askForReminder(session, id))
          .catch(failed),
    },
    message.creatorId !== userId &&
      message.type !== 'system' && {
        ...{ id: 'report', label: t.report, icon: 'flag' },
        run: () =>
          void import('./ReportDialog.tsx').then(({ askToReport }) => askToReport(message)).catch(failed),
      },
    {
      ...{ id: 'delete', label: common.delete, icon: 'trash', key: 'Delete', isDanger: true },
      refused: refusedBy(may.delete),
      run: (isFast) => (isFast ? deleteAtOnce(message) : askToDelete(message)),
    },
  ];
  return all.filter((action) => action !== false);
}

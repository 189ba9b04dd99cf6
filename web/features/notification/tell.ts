import { imageUrl } from '../../api/base.ts';
import type { Session } from '../../replica/index.ts';
import type { LiveEvent, Records } from '../../replica/types.ts';
import { currentRoute, navigate, pathOf, routeOf } from '../../routes.ts';
import { common } from '../../strings/en/common.ts';
import { notification as t } from '../../strings/en/frame.ts';
import { isBlocked } from '../block/index.ts';
import { channelName } from '../direct/index.ts';
import { lineIn, nameIn } from '../member/index.ts';
import { ownPresence } from '../presence/index.ts';
import { accountNow } from '../session/index.ts';
import { type Facts, type Notifiable, newsIn } from './decide.ts';
import { deviceState } from './device.ts';
import { goTo } from './goTo.ts';
import { groupTold } from './groupTold.ts';
import { closeNoticesBy, onNoticeClick, type ShownNotice, showNotice } from './notices.ts';
import { pageOf } from './pageOf.ts';

/** How long, in ms, other tabs have to report that the user sees the message there. */
const PATIENCE = 250;
/** The maximum number of messages kept: events about the same message arrive close together. */
const KEPT = 100;
const LENGTH = 160;

type Message = Records['ShownMessage'];

/**
 * Shows browser notifications, one per message, from the one tab that has the event stream. Shows none for
 * messages in a channel that the user is looking at. Returns a function that stops it.
 */
export function showNotifications(session: Session, userId: string): () => void {
  const { replica, reading } = session;
  const tabs =
    typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(`palaver-seen-${userId}`);
  const seen = new Set<string>();
  let hasEnded = false;
  /** The kind of notification for each message. A mention takes precedence over a plain message. */
  const kinds = new Map<string, Notifiable['kind']>();
  const messages = new Map<string, Message>();
  let changed: Pick<Facts, 'quietHours'> | undefined;
  const keep = (message: Message) => {
    messages.set(message.id, message);
    bound(messages);
  };
  const see = (messageId: string) => {
    seen.add(messageId);
    bound(seen);
  };

  const open = (message: ShownNotice) =>
    routeOf(message.path).page === 'server' ? void goTo(session, message) : navigate(message.path);
  const tell = ({ message, actorId }: Notifiable) => {
    const kind = kinds.get(message.id) ?? 'message';
    const full = messages.get(message.id) ?? replica.row('message', message.id);
    if (hasEnded || seen.has(message.id)) return;
    notify(session, { message, actorId, kind }, full, open);
  };

  const take = (event: LiveEvent) => {
    if (session.isLeading) void closeNoticesBy(event);
    if (event.type !== 'message.created' && event.type !== 'notification.created') return;
    // The device state is the same in all tabs of a browser.
    if (deviceState() !== 'on') return;
    if (event.type === 'message.created') {
      if (isBlocked(session, event.data.creatorId)) return;
      keep(event.data);
    }
    const { channelId, serverId } = event.data;
    const messageId = event.type === 'message.created' ? event.data.id : event.data.messageId;
    const account = accountNow();
    const news = newsIn(event, {
      userId,
      now: Date.now(),
      status: ownPresence.get()?.status,
      reading: reading.channel(channelId),
      server: reading.server(serverId),
      quietHours: account.state === 'in' ? account.me.quietHours : null,
      ...changed,
    });
    if (news?.ownId !== undefined) {
      if (session.isLeading) notify(session, news, replica.row('message', messageId), open);
      return;
    }
    if (isBeforeOne(channelId)) {
      see(messageId);
      tabs?.postMessage(messageId);
      return;
    }
    if (!news || !session.isLeading) return;
    const isKnown = kinds.has(messageId);
    if (news.kind !== 'message' || !isKnown) kinds.set(messageId, news.kind);
    bound(kinds);
    if (!isKnown) setTimeout(() => tell(news), PATIENCE);
  };

  // The user may change quiet hours in another tab (`me/pages/QuietTimes.tsx`).
  tabs?.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') see(data);
    else changed = data;
  });
  const ends = [session.onEvent(take), onNoticeClick(open)];
  return () => {
    hasEnded = true;
    for (const end of ends) end();
    tabs?.close();
  };
}

function notify(
  session: Session,
  { message, actorId, kind, ownId }: Notifiable,
  full: Message | undefined,
  open: (message: ShownNotice) => void,
): void {
  const { replica } = session;
  const channel = replica.row('channel', message.channelId);
  const actor = replica.row('user', actorId);
  const { id, serverId, channelId } = message;
  const page = pageOf({ type: kind, serverId, channelId });
  const isOfMessage = page.page === 'server';
  // The user may have lost access to the channel.
  if (!(channel || !isOfMessage) || deviceState() !== 'on') return;
  const text = full ? lineIn(session, message.serverId, full).slice(0, LENGTH) : '';
  const threadId = full?.threadId ?? null;
  const at = threadId === null ? { messageId: id } : { threadId, replyId: id };
  const path = pathOf(isOfMessage ? { ...page, ...at } : page);
  const icon = actor?.image?.startsWith('/') ? { icon: imageUrl(actor.image) } : {};
  const group = kind === 'mention' && full ? groupTold(session, serverId, full.content) : undefined;
  const title =
    !channel && kind === 'schedule'
      ? t.told.schedule
      : t.notices[group ? 'group' : kind]({
          name: nameIn(session, serverId, actorId) ?? common.somebody,
          channel: channel ? channelName(session, channel) : '',
          group: group ?? '',
        });
  // Ignores failures: the settings already say so if the browser can't show notifications.
  const notice = { id, serverId, channelId, threadId, path, ...(ownId !== undefined && { ownId }) };
  showNotice(title, notice, { body: text, ...icon }, open).catch(() => undefined);
}

function bound(kept: Map<string, unknown> | Set<string>): void {
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
}

/** True if the user is looking at the channel in this tab. */
function isBeforeOne(channelId: string): boolean {
  const route = currentRoute();
  return (
    document.visibilityState === 'visible' &&
    document.hasFocus() &&
    route.page === 'server' &&
    route.channelId === channelId
  );
}

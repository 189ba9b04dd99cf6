import { api } from '../../api/index.ts';
import type { Rows } from '../../replica/types.ts';
import { navigate, type Route, routeOf } from '../../routes.ts';
import { listenAhead, typedAhead } from '../../ui/ahead.ts';
import { hasMouse, toast } from '../../ui/index.ts';
import { nameFor } from './threadName.ts';

/** Opens a thread next to its channel. If the channel is open, its panel stays open. */
function showThread(channel: { id: string; serverId: string }, threadId: string): void {
  const now = routeOf(location.href);
  const place: Route = { page: 'server', serverId: channel.serverId, channelId: channel.id, threadId };
  const isHere = now.page === 'server' && now.channelId === channel.id;
  navigate(isHere ? { ...now, threadId } : place);
}

/**
 * Opens a message's thread next to its channel: the thread it is in, the thread it has, or a new one, because
 * drafts and replies need a thread id. Shows an error if the server rejects the request. `known` skips the
 * check for an existing thread.
 */
export async function openThreadOf(
  message: Pick<Rows['message'], 'id' | 'serverId' | 'channelId' | 'threadId' | 'content'>,
  known?: { id: string },
): Promise<void> {
  const { id: messageId, serverId, channelId } = message;
  const now = routeOf(location.href);
  const isOpen = now.page === 'server' && now.threadId === (message.threadId ?? known?.id);
  // Keys typed before the thread's text field has loaded go to it, and do not act as shortcuts on the
  // message.
  if (hasMouse() && !(isOpen && now.threadId)) listenAhead();
  try {
    const threadId =
      message.threadId ?? known?.id ?? (await firstThread(serverId, messageId)) ?? (await newThread(message));
    showThread({ id: channelId, serverId }, threadId);
  } catch (error) {
    typedAhead();
    toast.error(error);
  }
}

async function firstThread(serverId: string, messageId: string): Promise<string | undefined> {
  const [thread] = await api(serverId).threadsByMessageId({ messageId, limit: 1 });
  return thread?.id;
}

async function newThread({
  id: messageId,
  serverId,
  content,
}: {
  id: string;
  serverId: string;
  content: string;
}) {
  const name = nameFor(content);
  const { id } = await api(serverId).threadInsert({ messageId, ...(name !== '' && { name }) });
  return id;
}

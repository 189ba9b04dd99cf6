import { api } from '../../api/index.ts';
import type { Rows } from '../../replica/types.ts';
import { navigate, type Route, routeOf } from '../../routes.ts';
import { listenAhead, typedAhead } from '../../ui/ahead.ts';
import { hasMouse, toast } from '../../ui/index.ts';
import { nameFor } from './threadName.ts';

/** Opens a thread beside its channel; what is open there already stays. */
function showThread(channel: { id: string; serverId: string }, threadId: string): void {
  const now = routeOf(location.href);
  const place: Route = { page: 'server', serverId: channel.serverId, channelId: channel.id, threadId };
  const isHere = now.page === 'server' && now.channelId === channel.id;
  navigate(isHere ? { ...now, threadId } : place);
}

/**
 * Opens the thread of a message beside its channel: that in which it is, the one that it has, or a new one, since a draft and a reply
 * need its id. A refusal is shown. `known` spares the question whether it has one.
 */
export async function openThreadOf(
  message: Pick<Rows['message'], 'id' | 'serverId' | 'channelId' | 'threadId' | 'content'>,
  known?: { id: string },
): Promise<void> {
  const { id: messageId, serverId, channelId } = message;
  const now = routeOf(location.href);
  const isOpen = now.page === 'server' && now.threadId === (message.threadId ?? known?.id);
  // Letters that come before its field belong to it, and are no commands for the message.
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

import { onSignedOut } from '../../../api/index.ts';
import { createStore } from '../../../ui/index.ts';
import { keepInTab, keptInTab } from '../../../ui/keptInTab.ts';

/** The fields that identify a message and its channel or thread. */
interface Answered {
  id: string;
  channelId: string;
  threadId: string | null;
}

/** The message being replied to, by channel or thread. Survives a reload of the tab. */
type Replies = Readonly<Record<string, string>>;

const KEY = 'palaver-replying';

const replies = createStore<Replies>(keptInTab(KEY) ?? {});
/** `count` increases with each start, so the composer takes the focus even if the same message is chosen again. */
const starts = createStore<{ place: string; count: number }>({ place: '', count: 0 });

function keep(next: Replies): void {
  replies.set(next);
  keepInTab(KEY, Object.keys(next).length > 0 ? next : undefined);
}

onSignedOut(() => keep({}));

/** Makes the next message in the same channel or thread a reply to this one, and focuses the composer. */
export function startReply({ id, channelId, threadId }: Answered): void {
  const place = threadId ?? channelId;
  keep({ ...replies.get(), [place]: id });
  starts.set({ place, count: starts.get().count + 1 });
}

/** Cancels the reply in this channel or thread. */
export function stopReply(placeId: string): void {
  const { [placeId]: _gone, ...others } = replies.get();
  keep(others);
}

/** The id of the message being replied to. */
export const useReply = (placeId: string): string | undefined => replies.use()[placeId];

/** Like `useReply`, but without subscribing. */
export const replyAt = (placeId: string): string | undefined => replies.get()[placeId];

/** A number that increases whenever the user starts a reply in this channel or thread. */
export function useReplyStarts(placeId: string): number {
  const { place, count } = starts.use();
  return place === placeId ? count : 0;
}

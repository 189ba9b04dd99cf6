import { onSignedOut } from '../../../api/index.ts';
import { createStore } from '../../../ui/index.ts';
import { keepInTab, keptInTab } from '../../../ui/keptInTab.ts';

/** The fields of a message that say where it is. */
interface Answered {
  id: string;
  channelId: string;
  threadId: string | null;
}

/** The message that is being answered in each channel or thread. It outlives a reload of the tab. */
type Replies = Readonly<Record<string, string>>;

const KEY = 'palaver-replying';

const replies = createStore<Replies>(keptInTab(KEY) ?? {});
/** Grows with each start, so that a composer takes the focus, also if the same message is chosen again. */
const starts = createStore<{ place: string; count: number }>({ place: '', count: 0 });

function keep(next: Replies): void {
  replies.set(next);
  keepInTab(KEY, Object.keys(next).length > 0 ? next : undefined);
}

onSignedOut(() => keep({}));

/** What is written next where the message stands answers it; the composer there takes the focus. */
export function startReply({ id, channelId, threadId }: Answered): void {
  const place = threadId ?? channelId;
  keep({ ...replies.get(), [place]: id });
  starts.set({ place, count: starts.get().count + 1 });
}

/** What is written next in this channel or thread answers nothing. */
export function stopReply(placeId: string): void {
  const { [placeId]: _gone, ...others } = replies.get();
  keep(others);
}

/** The id of the message that is being answered there. */
export const useReply = (placeId: string): string | undefined => replies.use()[placeId];

/** The id of it at this moment. */
export const replyAt = (placeId: string): string | undefined => replies.get()[placeId];

/** A number that changes when a reply is begun there. */
export function useReplyStarts(placeId: string): number {
  const { place, count } = starts.use();
  return place === placeId ? count : 0;
}

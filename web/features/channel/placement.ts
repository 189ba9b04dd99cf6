import type { Session } from '../../replica/index.ts';
import { createStore } from '../../ui/index.ts';
import { keep, kept } from '../../ui/kept.ts';
import { isMuted } from '../level/index.ts';
import type { Placement } from './sections.ts';

export function placementOf({ reading }: Session, serverId: string, channelId: string): Placement {
  const row = reading.channel(channelId);
  if (!row) return 'plain';
  if (row.hidden) return row.mentions > 0 ? 'calling' : 'left';
  const hasNews = row.mentions > 0 || (row.unread > 0 && !isMuted(row, reading.server(serverId), Date.now()));
  if (row.favorite) return hasNews ? 'favorite unread' : 'favorite';
  return hasNews ? 'unread' : 'plain';
}

const keyOf = (userId: string) => `palaver.unreadFirst.${userId}`;
const chosen = createStore<Readonly<Record<string, boolean>>>({});

/** Whether a user wants unread channels first, in this browser. */
export const isUnreadFirst = (userId: string): boolean =>
  chosen.get()[userId] ?? kept(keyOf(userId)) !== undefined;

export function useUnreadFirst(userId: string): [boolean, (isOn: boolean) => void] {
  chosen.use();
  const set = (isOn: boolean) => {
    keep(keyOf(userId), isOn ? '1' : undefined);
    chosen.set({ ...chosen.get(), [userId]: isOn });
  };
  return [isUnreadFirst(userId), set];
}

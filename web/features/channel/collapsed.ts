import { createStore } from '../../ui/index.ts';
import { keep, kept } from '../../ui/kept.ts';

/**
 * Maximum number of collapsed categories stored per user. Beyond it, those collapsed longest ago expand
 * again.
 */
const MOST = 500;
const keyOf = (userId: string) => `palaver.collapsed.${userId}`;

/** The ids of the collapsed categories, by user. */
const collapsed = createStore<Readonly<Record<string, readonly string[]>>>({});

const idsOf = (userId: string): readonly string[] =>
  collapsed.get()[userId] ?? (kept(keyOf(userId)) ?? '').split(' ');

/** Whether a user has collapsed a category in this browser, and a function that changes it. */
export function useCollapsed(userId: string, id: string): [boolean, (isCollapsed: boolean) => void] {
  collapsed.use();
  const set = (isCollapsed: boolean) => {
    const others = idsOf(userId).filter((each) => each !== id && each !== '');
    const ids = isCollapsed ? [...others, id].slice(-MOST) : others;
    keep(keyOf(userId), ids.length > 0 ? ids.join(' ') : undefined);
    collapsed.set({ ...collapsed.get(), [userId]: ids });
  };
  return [idsOf(userId).includes(id), set];
}

import { useEffect, useRef, useState } from 'react';
import { useActions, useChannels, useRows } from '../../../replica/hooks.ts';
import { serverSettings as t } from '../../../strings/en/serverSettings.ts';
import { messageOf, toast } from '../../../ui/index.ts';
import {
  arranged,
  categoryAt,
  type Item,
  isChannel,
  movedItem,
  placeChanges,
  type Wish,
} from './arrangement.ts';
import { storePlace } from './storePlace.ts';

/** Debounce in milliseconds between a keyboard step and saving the order. */
const REST = 800;

/** The channels and categories in the displayed order, and how to move one. */
export interface Order {
  items: readonly Item[];
  /** Moves a row optimistically, and returns the new order. It is saved after a debounce, or at once with `isLast`. */
  move(from: number, to: number, isLast?: boolean): readonly Item[];
}

/**
 * Reorders channels and categories optimistically. An order that the server rejects is rolled back, with an
 * error toast.
 */
export function useOrder(serverId: string): Order {
  const { load } = useActions();
  const channels = useChannels(serverId);
  const categories = useRows('category', 'serverId', serverId);
  const [wish, setWish] = useState<Wish>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const items = arranged(channels, categories, wish);
  const latest = useRef({ items, channels });
  latest.current = { items, channels };

  async function save(): Promise<void> {
    clearTimeout(timer.current);
    timer.current = undefined;
    const { items, channels } = latest.current;
    const changes = placeChanges(items, (id) => channels.find((channel) => channel.id === id));
    try {
      for (const change of changes.categories) await storePlace(load, serverId, change, true);
      for (const change of changes.channels) await storePlace(load, serverId, change, false);
    } catch (error) {
      toast.show(t.notSaved({ why: messageOf(error) }), { kind: 'bad' });
    }
    // Keeps the order if another move is pending.
    if (timer.current === undefined) setWish(undefined);
  }

  const saving = useRef(save);
  saving.current = save;
  // Saves pending moves on unmount.
  useEffect(
    () => () => {
      if (timer.current !== undefined) saving.current();
    },
    [],
  );

  return {
    items,
    move(from, to, isLast = false) {
      if (from < 0 || to < 0 || to >= items.length || from === to) return items;
      const next = movedItem(items, from, to);
      const item = items[from] as Item;
      const into = new Map(wish?.into);
      if (isChannel(item)) into.set(item.id, categoryAt(next, next.indexOf(item))?.id ?? null);
      const nextWish = { ids: next.map(({ id }) => id), into };
      const nextItems = arranged(channels, categories, nextWish);
      latest.current = { items: nextItems, channels };
      setWish(nextWish);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => saving.current(), isLast ? 0 : REST);
      return nextItems;
    },
  };
}

import { useEffect, useRef, useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useActions } from '../../../replica/hooks.ts';
import { serverSettings as t } from '../../../strings/en/serverSettings.ts';
import { messageOf, toast } from '../../../ui/index.ts';
import { changesFor, moved } from './places.ts';

type Channel = Records['Channel'];

/** Debounce in milliseconds between a keyboard step and saving the order. */
const REST = 800;

/** The channels in the displayed order, and how to move one. */
export interface Order {
  channels: readonly Channel[];
  isSaving: boolean;
  /** Moves a channel optimistically. The order is saved after a debounce, or at once with `isLast`. */
  move(from: number, to: number, isLast?: boolean): void;
}

/** Reorders channels optimistically. An order that the server rejects is rolled back, with an error toast. */
export function useOrder(serverId: string, channels: readonly Channel[]): Order {
  const { load } = useActions();
  const [wish, setWish] = useState<readonly string[]>();
  const [isSaving, setSaving] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const shown = wish ? inOrder(channels, wish) : channels;
  const latest = useRef(shown);
  latest.current = shown;

  async function save(): Promise<void> {
    clearTimeout(timer.current);
    timer.current = undefined;
    setSaving(true);
    try {
      for (const { id, position } of changesFor(latest.current))
        await load(
          () => api(serverId).channelUpdate({ channelId: id, position }),
          (channel) => ({ channel: [channel] }),
        );
    } catch (error) {
      toast.show(t.notSaved({ why: messageOf(error) }), { kind: 'bad' });
    }
    setSaving(false);
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
    channels: shown,
    isSaving,
    move(from, to, isLast = false) {
      if (from < 0 || to < 0 || to >= shown.length || from === to) return;
      const next = moved(shown, from, to);
      latest.current = next;
      setWish(next.map(({ id }) => id));
      clearTimeout(timer.current);
      timer.current = setTimeout(() => saving.current(), isLast ? 0 : REST);
    },
  };
}

/** The channels in the order of a list of IDs. Channels that are not in the list go last. */
function inOrder(channels: readonly Channel[], ids: readonly string[]): Channel[] {
  const places = new Map(ids.map((id, at) => [id, at]));
  const positionOf = ({ id }: Channel) => places.get(id) ?? ids.length;
  return channels.toSorted((one, other) => positionOf(one) - positionOf(other));
}

import type { Level } from '../../../replica/types.ts';
import { common } from '../../../strings/en/common.ts';
import { level as t } from '../../../strings/en/menus.ts';
import type { MenuItem } from '../../../ui/index.ts';
import { ALWAYS } from '../index.ts';

const HOUR = 3_600_000;
const spans = { hour: HOUR, morning: 8 * HOUR, day: 24 * HOUR, always: ALWAYS } as const;

interface Told {
  level: Level;
  mutedUntil: number | null;
}

interface LevelItems {
  /** The current level and mute state. */
  now: Told;
  /** The available levels. Null stands for the server's level. */
  levels: readonly Level[];
  set: (wish: Partial<Told>) => void;
}

export function levelItems({ now, levels, set }: LevelItems): MenuItem[] {
  const isMuted = (now.mutedUntil ?? 0) > Date.now();
  const mute = ([name, ms]: [keyof typeof spans, number]): MenuItem => ({
    label: t.muteFor[name],
    icon: 'bell-off',
    onSelect: () => set({ mutedUntil: Math.min(ALWAYS, Date.now() + ms) }),
  });
  return [
    { heading: isMuted ? t.muted : t.mute },
    ...(isMuted
      ? [{ label: t.unmute, icon: 'bell', onSelect: () => set({ mutedUntil: null }) } as const]
      : (Object.entries(spans) as [keyof typeof spans, number][]).map(mute)),
    { heading: common.notifications },
    ...levels.map(
      (level): MenuItem => ({
        label: level === null ? t.asServer : t.levels[level],
        isOn: level === now.level,
        isOneOf: true,
        onSelect: () => set({ level }),
      }),
    ),
  ];
}

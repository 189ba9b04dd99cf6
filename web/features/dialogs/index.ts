import type { Records } from '../../api/records.ts';
import { createStore } from '../../ui/index.ts';

/** A dialog that is opened from several places. */
type Asked =
  | { dialog: 'server' }
  | { dialog: 'channel'; serverId: string; channel?: Records['Channel'] }
  | { dialog: 'invite'; serverId: string }
  | { dialog: 'date'; channel: Records['Channel'] };

/** The dialog that is open; `count` grows with each. */
export const asked = createStore<{ now?: Asked | undefined; count: number }>({ count: 0 });

/** Opens a dialog above whatever is there; undefined closes it. */
export const ask = (now: Asked | undefined): void => asked.set({ now, count: asked.get().count + 1 });

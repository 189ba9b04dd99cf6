import type { Session } from '../../replica/index.ts';
import type { Route } from '../../routes.ts';
import type { MenuItem } from '../../ui/index.ts';

/** A dialog in which the palette's action goes on. */
export type Asked = { dialog: 'server' } | { dialog: 'channel' | 'invite'; serverId: string };

/** The place from which the palette is opened. */
export interface From {
  session: Session;
  /** What is open; the channels and people of its server come first. */
  route: Route;
  /** The part of one's own menu about how one is shown to others. */
  statuses: readonly MenuItem[];
  /** Opens a dialog once the palette has closed. */
  ask: (asked: Asked) => void;
  isAdmin: boolean;
}

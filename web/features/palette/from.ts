import type { Session } from '../../replica/index.ts';
import type { Route } from '../../routes.ts';
import type { MenuItem } from '../../ui/index.ts';

/** The place from which the palette is opened. */
export interface From {
  session: Session;
  /** What is open; the channels and people of its server come first. */
  route: Route;
}

export interface AllFrom extends From {
  /** The part of one's own menu about how one is shown to others. */
  statuses: readonly MenuItem[];
  isAdmin: boolean;
}

import type { Session } from '../../replica/index.ts';
import type { Route } from '../../routes.ts';
import type { MenuItem } from '../../ui/index.ts';

/** The context in which the palette opened. */
export interface From {
  session: Session;
  /** The open page. Its server's channels and people rank first. */
  route: Route;
}

export interface AllFrom extends From {
  /** The status items in the user's own menu. */
  statuses: readonly MenuItem[];
  isAdmin: boolean;
}

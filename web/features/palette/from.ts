import type { Session } from '../../replica/index.ts';

/** A dialog in which the palette's action goes on. */
export type Asked = { dialog: 'server' } | { dialog: 'channel' | 'invite'; serverId: string };

/** The place from which the palette is opened. */
export interface From {
  session: Session;
  /** The server that is open; its channels and people come first. */
  serverId: string | undefined;
  /** Opens a dialog once the palette has closed. */
  ask: (asked: Asked) => void;
  isAdmin: boolean;
}

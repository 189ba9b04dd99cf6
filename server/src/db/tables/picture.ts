import type { Row, Table } from './facts.ts';

/** An uploaded picture of a server or user, which names it by its address. */
interface PictureRow extends Row {
  /** The server whose files it counts among; null for the picture of a user. */
  serverId: string | null;
  /** The user who uploaded it: of a user's picture, that user. */
  creatorId: string;
  /** `/api/v1/pictures/<id>`, as `server.icon`, `server.banner` or `user.image` has it. A trigger removes the row once it does not. */
  address: string;
  type: string;
  /** The size of the file. A trigger takes it from `fileUse` when the row is removed. */
  bytes: number;
  width: number;
  height: number;
  thumbhash: string | null;
  previews: readonly ('small' | 'large')[];
}

/** A trigger puts the file of a removed row into `fileRemoval`, whatever removes it. */
export const picture: Table<PictureRow> = {
  key: ['id'],
  json: ['previews'],
  goesWith: { serverId: { table: 'server', by: 'foreignKey' } },
  neverTaken: { address: 'it has the id in it' },
};

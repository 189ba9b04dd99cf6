import type { Row, Table } from './facts.ts';

/** An uploaded picture. A server, user, emoji or direct message refers to it by URL. */
interface PictureRow extends Row {
  /** The server whose quota the picture uses; null for a user's picture. */
  serverId: string | null;
  /** The user who uploaded the picture; for a user's picture, that user. */
  creatorId: string;
  /**
   * The URL, `/api/v1/pictures/<id>`, as in `server.icon`, `user.image`, `emoji.url` or a direct message's
   * `image`. A trigger deletes the row when that field changes.
   */
  address: string;
  type: string;
  /** The size of the file. A trigger subtracts it from `fileUse` and `personUse` when the row is deleted. */
  bytes: number;
  /** The person whose storage quota the file counts against (see `personUse`); null if there is none. */
  payerId: string | null;
  width: number;
  height: number;
  thumbhash: string | null;
  previews: readonly ('small' | 'large')[];
}

/** Whenever a row is deleted, a trigger adds its file to `fileRemoval`. */
export const picture: Table<PictureRow> = {
  key: ['id'],
  inExportOf: { creatorId: {} },
  json: ['previews'],
  goesWith: { serverId: { table: 'server', by: 'foreignKey' } },
  neverTaken: { address: "it contains the row's id" },
};

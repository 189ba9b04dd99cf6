import type { Reads } from '../db/contract.ts';
import { findPart } from '../db/statements.ts';
import type { Flag } from '../lib/flags.ts';

/**
 * The values of a server's `editHistory`. They determine who, besides the author, may see earlier versions of
 * a message.
 */
export const historyReaders = ['everyone', 'moderators'] as const;
export type HistoryReaders = (typeof historyReaders)[number];

/** Returns who may see earlier versions in a server; the default if the server no longer exists. */
export const historyReadersIn = async (db: Pick<Reads, 'first'>, serverId: string): Promise<HistoryReaders> =>
  (await db.first(findPart('server', serverId, ['editHistory'])))?.editHistory ?? 'moderators';

export const earlierVersionsRule =
  'earlier versions of a message: its author and, except in a direct message, moderators and the server creator; with editHistory "everyone", all who can see its channel';

/**
 * Whether a viewer who can see a message may also see its earlier versions. The viewer must be in the
 * message's server.
 */
export const seesEarlierVersions = (
  viewer: { userId: string | null; isServerCreator: boolean; flags: ReadonlySet<Flag> },
  { creatorId, readers, isDirect }: { creatorId: string; readers: HistoryReaders; isDirect: boolean },
): boolean =>
  readers === 'everyone' ||
  viewer.userId === creatorId ||
  (!isDirect && (viewer.isServerCreator || viewer.flags.has('canModerate')));

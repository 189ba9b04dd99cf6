import type { RowOf } from '../../db/schema.ts';
import { MAX_NAME } from '../../files/name.ts';
import { Type } from '../../lib/schema.ts';
import { count, id, nullable, record, text, time } from '../../operations/fields.ts';
import { recordOf } from '../common.ts';
import { content } from '../message/messageRecord.ts';

/** Characters of the reason for a hold. */
export const MAX_REASON = 1_000;

export const reason = text({ min: 1, max: MAX_REASON, examples: ['Case 4711'] });

export const hold = record('Hold', {
  serverId: id(),
  userId: nullable(id("Only messages by this user; null for everybody's")),
  channelId: nullable(id('Only messages in this channel; null for all, direct messages included')),
  reason,
  creatorId: nullable(id('The platform admin who created it; null for the operator')),
  until: nullable(time('When it ends automatically; null if it does not')),
  endedAt: nullable(time('When it was ended; null while it lasts')),
});
const toRecord = recordOf(hold);
export const toHold = (row: RowOf<'hold'>) => toRecord(row);

export const keptMessage = record('KeptMessage', {
  serverId: id(),
  channelId: id(),
  threadId: nullable(id()),
  creatorId: id('Its author'),
  editedAt: nullable(time()),
  content,
  versions: Type.Array(Type.Object({ at: time('When it was written'), content }), {
    description: 'Its earlier contents, oldest first',
  }),
  files: Type.Array(
    Type.Object({
      id: id(),
      name: text({ max: MAX_NAME, examples: ['harbour.jpg'] }),
      type: text({ max: 255, examples: ['image/jpeg'] }),
      bytes: count('Size', 1_000),
    }),
    { description: 'Its files, which are kept in the store under their ids' },
  ),
  deletedAt: time('When it was deleted'),
  deleterId: nullable(id('The user who deleted it; null for the operator and for Palaver itself')),
});
const toKept = recordOf(keptMessage);
export const toKeptMessage = (row: RowOf<'keptMessage'>) =>
  toKept({ ...row, updatedAt: row.editedAt ?? row.createdAt });

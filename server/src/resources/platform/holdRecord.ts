import { expressionBuilder } from 'kysely';
import type { Reader } from '../../db/contract.ts';
import type { RowOf, Tables } from '../../db/schema.ts';
import { find, q } from '../../db/statements.ts';
import { notFound } from '../../errors.ts';
import { MAX_NAME } from '../../files/name.ts';
import { isId } from '../../lib/deps.ts';
import { Type } from '../../lib/schema.ts';
import { count, id, nullable, record, text, time } from '../../operations/fields.ts';
import { recordOf } from '../common.ts';
import { content } from '../message/messageRecord.ts';

/** Maximum characters in the reason for a hold. */
export const MAX_REASON = 1_000;

export const reason = text({ min: 1, max: MAX_REASON, examples: ['Case 4711'] });

/** The channel's name; null if there is no channel, or if it was deleted. */
const channelName = nullable(
  text({ max: 100, description: 'The name of the channel; null if it is gone', examples: ['general'] }),
);

export const hold = record('Hold', {
  serverId: id(),
  userId: nullable(id("Only messages by this user; null for everybody's")),
  channelId: nullable(id('Only messages in this channel; null for all, including direct messages')),
  channelName,
  reason,
  creatorId: nullable(id('The platform admin who created it; null for the operator')),
  until: nullable(time('When it ends automatically; null if it does not')),
  endedAt: nullable(time('When someone ended it; null if nobody did, even if `until` has passed')),
});
const toRecord = recordOf(hold);
/** A hold or a kept message, with the name of its channel. */
type Named<R> = R & { channelName: string | null };

export const toHold = (row: Named<RowOf<'hold'>>) => toRecord(row);

export const keptMessage = record('KeptMessage', {
  serverId: id(),
  channelId: id(),
  channelName,
  threadId: nullable(id()),
  creatorId: id('The author of the message'),
  editedAt: nullable(time()),
  content,
  versions: Type.Array(Type.Object({ at: time('When this version was written'), content }), {
    description: 'The earlier contents of the message, oldest first',
  }),
  files: Type.Array(
    Type.Object({
      id: id(),
      name: text({ max: MAX_NAME, examples: ['harbour.jpg'] }),
      type: text({ max: 255, examples: ['image/jpeg'] }),
      bytes: count('Size in bytes', 1_000),
    }),
    { description: 'The files of the message, which are kept in the store under their ids' },
  ),
  deletedAt: time('When it was deleted'),
  deleterId: nullable(id('The user who deleted it; null for the operator and for Palaver itself')),
});
const toKept = recordOf(keptMessage);
export const toKeptMessage = (row: Named<RowOf<'keptMessage'>>) =>
  toKept({ ...row, updatedAt: row.editedAt ?? row.createdAt });

const nameOf = (column: 'hold.channelId' | 'keptMessage.channelId') =>
  expressionBuilder<Tables, 'hold' | 'keptMessage'>()
    .selectFrom('channel')
    .select('channel.name')
    .whereRef('channel.id', '=', column)
    .as('channelName');

export const holds = () => q.selectFrom('hold').selectAll('hold').select(nameOf('hold.channelId'));

/** Returns a file of a message that a hold keeps. Throws NOT_FOUND. */
export async function keptFileOf(db: Reader, hold: RowOf<'hold'>, fileId: string) {
  const kept = isId(fileId) ? await db.first(find('keptFile', { id: fileId })) : undefined;
  const message = kept && (await db.first(keptBy(hold).where('id', '=', kept.keptMessageId)));
  const file = message?.files.find(({ id }) => id === fileId);
  if (!file) throw notFound('file');
  return file;
}

/** Selects the messages that a hold keeps, without those in direct messages. */
export function keptBy({ serverId, userId, channelId }: RowOf<'hold'>) {
  let rows = q
    .selectFrom('keptMessage')
    .selectAll('keptMessage')
    .select(nameOf('keptMessage.channelId'))
    .where('serverId', '=', serverId)
    .where('isDirect', '=', false);
  if (userId !== null) rows = rows.where('creatorId', '=', userId);
  if (channelId !== null) rows = rows.where('channelId', '=', channelId);
  return rows;
}

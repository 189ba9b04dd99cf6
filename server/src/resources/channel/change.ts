import { isListed } from '../../access/whereVisible.ts';
import type { RowOf } from '../../db/schema.ts';
import { insert, prepare, q, update } from '../../db/statements.ts';
import type { LostBy } from '../../feed/log.ts';
import { nameKey } from '../../lib/names.ts';
import type { Work } from '../../operations/work.ts';
import { alters, touched } from '../common.ts';
import { positionAfter } from '../lists.ts';
import { retentionBegins, retentionChanged } from '../retention.ts';
import { channelEvents, toChannel } from './channelRecord.ts';

const lastPosition = prepare((p: { serverId: string }) =>
  q
    .selectFrom('channel')
    .select((eb) => eb.fn.max('position').as('last'))
    .where('serverId', '=', p.serverId)
    .where(isListed),
);

type ChannelFields = Partial<
  Pick<
    RowOf<'channel'>,
    'description' | 'private' | 'readonly' | 'slowSeconds' | 'retentionDays' | 'position' | 'categoryId'
  >
> &
  Pick<RowOf<'channel'>, 'name' | 'serverId' | 'creatorId' | 'roleIds'>;

/** Creates a channel, by default after the last one. Throws UniqueViolation if the name is taken. */
export async function addChannel({ db, emit, newRow }: Work, fields: ChannelFields) {
  const position =
    fields.position ?? positionAfter((await db.first(lastPosition({ serverId: fields.serverId })))?.last);
  const row = {
    ...newRow(),
    description: null,
    private: false,
    readonly: false,
    slowSeconds: 0,
    retentionDays: null,
    kind: 'channel' as const,
    memberIds: null,
    image: null,
    categoryId: null,
    ...fields,
    position,
    nameKey: nameKey(fields.name),
  };
  await db.run(insert('channel', row));
  await retentionBegins(db, row, row.createdAt);
  await emit(channelEvents.created, toChannel(row));
  return toChannel(row);
}

/** Changes a channel. The event contains the channel's previous visibility if viewers may lose access. */
export async function changeChannel(
  { db, emit, now }: Work,
  found: RowOf<'channel'>,
  fields: Partial<RowOf<'channel'>>,
) {
  if (!alters(found, fields)) return toChannel(found);
  const set = { ...fields, updatedAt: touched(found, now) };
  await db.run(update('channel', found.id, set));
  const changed = { ...found, ...set };
  if (changed.retentionDays !== found.retentionDays) await retentionChanged(db, found.serverId, found.id);
  await emit(channelEvents.updated, toChannel(changed), { lostBy: lostBy(found, changed) });
  return toChannel(changed);
}

/** Returns the channel's previous visibility if some viewers may lose access; otherwise undefined. */
function lostBy(before: RowOf<'channel'>, after: RowOf<'channel'>): LostBy | undefined {
  const isNarrower =
    after.private && (!before.private || before.roleIds.some((roleId) => !after.roleIds.includes(roleId)));
  const { private: isPrivate, readonly, roleIds, memberIds } = before;
  return isNarrower ? { channel: { private: isPrivate, readonly, roleIds, memberIds } } : undefined;
}

/** Selects the channels of a server, without direct messages. */
const channelsOf = (serverId: string) =>
  q.selectFrom('channel').selectAll().where('serverId', '=', serverId).where(isListed).orderBy('id');

/** Removes a deleted role from the `roleIds` of all channels. */
export async function removeRoleFromChannels(
  work: Work,
  { id: roleId, serverId }: { id: string; serverId: string },
) {
  for (const channel of await work.db.all(channelsOf(serverId))) {
    if (!channel.roleIds.includes(roleId)) continue;
    await changeChannel(work, channel, { roleIds: channel.roleIds.filter((id) => id !== roleId) });
  }
}

/** Removes a deleted category from its channels. */
export async function removeCategoryFromChannels(
  work: Work,
  { id, serverId }: { id: string; serverId: string },
) {
  for (const channel of await work.db.all(channelsOf(serverId).where('categoryId', '=', id)))
    await changeChannel(work, channel, { categoryId: null });
}

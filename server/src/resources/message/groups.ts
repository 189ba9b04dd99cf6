import type { Principal } from '../../access/principal.ts';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { insert, q } from '../../db/statements.ts';
import { mark } from '../../db/sweep.ts';
import { nameKey } from '../../lib/names.ts';
import { mentionsIn } from '../../lib/text/index.ts';
import type { Work } from '../../operations/work.ts';

/** Maximum number of names that a message can mention. */
export const MAX_MENTIONS = 50;
/** A text that sorts before all ids. */
const FIRST_USER = '00000000-0000-0000-0000-000000000000';

/** A group of members that a message mentions. */
export type Group = Pick<RowOf<'groupMention'>, 'group' | 'roleId'>;

/**
 * Returns the groups that a text mentions: `@everyone`, `@here`, and roles that can be mentioned, by name. A
 * role whose name has spaces cannot be mentioned.
 */
export async function groupsIn(
  db: Reader,
  content: string,
  { serverId, memberIds }: { serverId: string; memberIds: readonly string[] | null },
): Promise<Group[]> {
  // Every message in a direct message already notifies the members who have not muted it.
  if (memberIds || !content.includes('@')) return [];
  const names = new Set(mentionsIn(content, MAX_MENTIONS).flatMap(({ name, longer }) => [name, longer]));
  if (names.size === 0) return [];
  const keys = new Set([...names].map(nameKey));
  const roles = await db.all(
    q
      .selectFrom('role')
      .select(['id', 'name'])
      .where('serverId', '=', serverId)
      .where('mentionable', '=', true)
      .orderBy('id'),
  );
  const all = (['everyone', 'here'] as const).filter((name) => names.has(name));
  return [
    ...all.map((group) => ({ group, roleId: null })),
    ...roles
      .filter(({ name }) => keys.has(nameKey(name)))
      .map(({ id }) => ({ group: 'role' as const, roleId: id })),
  ];
}

/**
 * Returns the groups that the principal may mention. `@everyone` and `@here` require canModerate, or being the
 * server creator.
 */
export const mentionable = ({ flags, isServerCreator }: Principal, groups: readonly Group[]): Group[] =>
  groups.filter(({ group }) => group === 'role' || isServerCreator || flags.has('canModerate'));

/**
 * Schedules notifications for the members of groups that are mentioned in a message that has just been sent.
 * Sweeps deliver them after this write.
 */
export async function notifyGroups(
  { db, newRow, actorId, actorKind: actor }: Work,
  groups: readonly Group[],
  { id: messageId, serverId }: Pick<RowOf<'message'>, 'id' | 'serverId'>,
): Promise<void> {
  for (const { group, roleId } of groups) {
    const { id } = newRow();
    await db.run(insert('groupMention', { id, serverId, messageId, group, roleId, upTo: FIRST_USER }));
    await mark(db, { noun: 'groupMention', id, serverId, channelId: null, actorId, actor });
  }
}

import type { Reader } from '../db/contract.ts';
import { q } from '../db/statements.ts';
import { mentionsIn } from '../lib/text/index.ts';

/** Maximum names that are looked up, because a notification shows only a few words. */
const MAX_NAMES = 20;

/**
 * Returns the display names of the members that a message mentions, by username: their nicknames in its
 * server, or their names.
 */
export async function mentionedNames(
  db: Reader,
  { serverId, content }: { serverId: string; content: string | null },
): Promise<ReadonlyMap<string, string>> {
  const mentions = mentionsIn(content ?? '', MAX_NAMES);
  if (mentions.length === 0) return new Map();
  const usernames = new Set(mentions.flatMap(({ name, longer }) => [name, longer]));
  const found = await db.all(
    q
      .selectFrom('user')
      .innerJoin('serverMember', 'serverMember.userId', 'user.id')
      .select(['user.username', 'user.name', 'serverMember.nickname'])
      .where('serverMember.serverId', '=', serverId)
      .where('user.username', 'in', [...usernames]),
  );
  return new Map(found.map(({ username, name, nickname }) => [username, nickname ?? name]));
}

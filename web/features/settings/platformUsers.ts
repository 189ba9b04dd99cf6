import { api } from '../../api/index.ts';

type Filter = Pick<
  Parameters<ReturnType<typeof api>['platformUsers']>[0] & object,
  'suspended' | 'platformAdmin' | 'unclaimed' | 'serverId'
>;

/** The page size, and the maximum number of matches of each kind in a search. */
const MOST = 50;

/**
 * A page of users, newest first. With `text`, up to `MOST` users whose username starts with it, followed by
 * up to `MOST` whose name does.
 */
export async function platformUsersPage(filter: Filter, text: string, cursor: string | undefined) {
  if (text === '') return api('none').platformUsers({ ...filter, limit: MOST, ...(cursor && { cursor }) });
  const username = text.replace(/^@/, '').toLowerCase();
  const [byUsername, byName] = await Promise.all([
    api('none').platformUsers({ ...filter, username, limit: MOST }),
    text.startsWith('@') ? [] : api('none').platformUsers({ ...filter, name: text, limit: MOST }),
  ]);
  const found = new Map([...byUsername, ...byName].map((user) => [user.id, user]));
  return Object.assign([...found.values()], { nextCursor: null });
}

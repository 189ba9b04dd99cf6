import { useEffect, useState } from 'react';
import { api, type Records } from '../../../api/index.ts';

/** Maximum users per request. */
const MOST = 100;

/** Names by user ID, for an export. Users who have left are missing. Throws PalaverError. */
export async function readNames(serverId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (let from = 0; from < ids.length; from += MOST) {
    const some = ids.slice(from, from + MOST).join();
    const users = await api(serverId).usersBeside({ ids: some, limit: MOST });
    for (const { id, name } of users) names.set(id, name);
  }
  return names;
}

/** Names by user ID, for the options of a filter. */
export function useNames(serverId: string, ids: readonly string[]): (userId: string) => string | undefined {
  const [users, setUsers] = useState<ReadonlyMap<string, Records['User'] | undefined>>(new Map());
  const missing = ids.filter((id) => id !== '' && !users.has(id)).slice(0, MOST);
  const key = missing.join();
  useEffect(() => {
    if (key === '') return;
    let isLate = false;
    api(serverId)
      .usersBeside({ ids: key, limit: MOST })
      .then(
        (found) => {
          if (isLate) return;
          const byId = new Map(found.map((user) => [user.id, user]));
          // Users who have left get no name, and are not requested again.
          setUsers(
            (before) => new Map([...before, ...key.split(',').map((id) => [id, byId.get(id)] as const)]),
          );
        },
        () => {},
      );
    return () => {
      isLate = true;
    };
  }, [serverId, key]);
  return (userId) => users.get(userId)?.name;
}

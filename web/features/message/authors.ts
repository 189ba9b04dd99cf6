import { useEffect } from 'react';
import { api, type Records } from '../../api/index.ts';
import { useRow, useSession } from '../../replica/hooks.ts';
import type { Session } from '../../replica/index.ts';

/** So many are asked for in one request. */
const MOST = 100;
const WAIT_MS = 30;

/** Users who were asked for, by server: each once in the life of a page, unless the server was out of reach. */
const asked = new Map<string, Set<string>>();
const waiting = new Map<string, Set<string>>();

/** The author of a message; undefined while they are on their way, and for those who are no longer members. */
export function useAuthor(
  serverId: string | undefined,
  userId: string | undefined,
): Records['User'] | undefined {
  const session = useSession();
  const user = useRow('user', userId);
  const isMissing = user === undefined && serverId !== undefined && userId !== undefined;
  useEffect(() => {
    if (isMissing) ask(session, serverId, userId);
  }, [isMissing, session, serverId, userId]);
  return user;
}

/** Asks for somebody of whom an event told, and no view: all who are missing at one moment in one request. */
function ask(session: Session, serverId: string, userId: string): void {
  const known = asked.get(serverId) ?? new Set();
  asked.set(serverId, known);
  if (known.has(userId)) return;
  known.add(userId);
  const queue = waiting.get(serverId);
  if (queue) return void queue.add(userId);
  waiting.set(serverId, new Set([userId]));
  setTimeout(async () => {
    const ids = [...(waiting.get(serverId) ?? [])];
    waiting.delete(serverId);
    for (let from = 0; from < ids.length; from += MOST) {
      const some = ids.slice(from, from + MOST);
      const read = () => api(serverId).usersBeside({ ids: some.join(','), limit: MOST });
      await session.actions
        .load(read, (users) => ({ user: [...users] }))
        // They may be asked for again with the next message.
        .catch(() => some.forEach((id) => void known.delete(id)));
    }
  }, WAIT_MS);
}

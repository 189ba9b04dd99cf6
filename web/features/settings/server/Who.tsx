import { useEffect } from 'react';
import { api } from '../../../api/index.ts';
import type { Actions } from '../../../replica/actions.ts';
import { useActions, useRow } from '../../../replica/hooks.ts';
import { serverSettings as t } from '../../../strings/en/serverSettings.ts';

/** How long, in ms, to wait for other rows before missing users are requested in one batch. */
const GATHER = 30;
/** Maximum users per request. */
const MOST = 100;

const wanted = new Map<string, Set<string>>();
const asked = new Set<string>();

/** Requests a user's profile once, as part of the next batch. */
function want(serverId: string, userId: string, load: Actions['load']): void {
  const key = `${serverId} ${userId}`;
  if (asked.has(key)) return;
  asked.add(key);
  const gathering = wanted.get(serverId);
  if (gathering && gathering.size < MOST) {
    gathering.add(userId);
    return;
  }
  const ids = new Set([userId]);
  wanted.set(serverId, ids);
  setTimeout(() => {
    if (wanted.get(serverId) === ids) wanted.delete(serverId);
    const all = [...ids];
    load(
      () => api(serverId).usersBeside({ ids: all.join(), limit: MOST }),
      (users) => ({ user: users }),
    ).catch(() => {
      // The next row that shows these users can then request them again.
      for (const id of all) asked.delete(`${serverId} ${id}`);
    });
  }, GATHER);
}

/** A user's profile. Undefined while it loads, and for users who have left. */
export function useUser(serverId: string, userId: string | null | undefined) {
  const user = useRow('user', userId);
  const { load } = useActions();
  const isMissing = user === undefined && Boolean(userId);
  useEffect(() => {
    if (isMissing && userId) want(serverId, userId, load);
  }, [isMissing, serverId, userId, load]);
  return user;
}

/** A user's name, or a word for the operator if there is no user. */
export function Who({ serverId, userId }: { serverId: string; userId: string | null }) {
  const user = useUser(serverId, userId);
  if (userId === null) return <>{t.operator}</>;
  return <bdi title={user && `@${user.username}`}>{user?.name ?? t.somebody}</bdi>;
}

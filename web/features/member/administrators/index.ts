import { useMemo } from 'react';
import { useAsked } from '../../../api/asked.ts';
import { api } from '../../../api/index.ts';
import { useActions, useEpoch, useRows } from '../../../replica/hooks.ts';
import { membersIn } from '../useMember.ts';

/** Members per page, and roles per request. */
const MOST = 100;

/** The removal to check: one role of one member, all roles of one member, or one role of everyone who has it. */
interface Taken {
  userId?: string;
  roleId?: string;
}

/**
 * Returns a function that checks whether a server would still have an admin after a role or member is
 * removed. Loads up to 100 admins once, unless `isAsked` is false, and events keep them up to date. Unless all
 * admins are loaded, the function returns true: the server checks this, too.
 */
export function useAdministrators(serverId: string, isAsked = true): (taken: Taken) => boolean {
  const { load } = useActions();
  const epoch = useEpoch(serverId);
  const members = useRows('serverMember', 'serverId', serverId);
  const roles = useRows('role', 'serverId', serverId);
  const adminIds = useMemo(() => roles.filter(({ canAdmin }) => canAdmin).map(({ id }) => id), [roles]);
  const { data: areAllHere = false } = useAsked(
    [serverId, epoch, isAsked, ...adminIds].join(' '),
    async () => {
      if (!isAsked || adminIds.length > MOST) return false;
      const ask = () => api(serverId).serverMembers({ serverId, roleIds: adminIds.join(','), limit: MOST });
      return (await load(ask, membersIn)).nextCursor === null;
    },
  );
  // A string compares by value: it stays the same when other members join or leave, so long lists do not
  // re-render.
  const held = members
    .flatMap(({ userId, roleIds }) =>
      roleIds.filter((id) => adminIds.includes(id)).map((id) => `${userId} ${id}`),
    )
    .join(',');
  return useMemo(() => {
    const all = held === '' ? [] : held.split(',').map((each) => each.split(' '));
    return ({ userId, roleId }) => {
      const isLeft = ([holder, id]: string[]) => (userId ?? holder) !== holder || (roleId ?? id) !== id;
      return !areAllHere || all.length === 0 || all.some(isLeft);
    };
  }, [held, areAllHere]);
}

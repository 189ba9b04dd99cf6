import { useMemo } from 'react';
import { useAsked } from '../../../api/asked.ts';
import { api } from '../../../api/index.ts';
import { useActions, useEpoch, useRows } from '../../../replica/hooks.ts';
import { membersIn } from '../useMember.ts';

/** So many members are in one page, and so many roles in one question. */
const MOST = 100;

/** What is taken: a role from a member, all of a member's, or a role from everybody. */
interface Taken {
  userId?: string;
  roleId?: string;
}

/**
 * Whether somebody would be left to administer a server once something is taken. Those who administer are asked for once, unless
 * `isAsked` is false, and events keep them up to date. True while it is not known: the server decides.
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
  // Mostly the same when members come and go, so that long lists are not drawn anew.
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

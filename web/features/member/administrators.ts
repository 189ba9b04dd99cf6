import { useMemo } from 'react';
import { useAsked } from '../../api/asked.ts';
import { api } from '../../api/index.ts';
import { useActions, useEpoch, useRows } from '../../replica/hooks.ts';
import { membersIn } from './useMember.ts';

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
  return useMemo(() => {
    const held = members.flatMap(({ userId, roleIds }) =>
      roleIds.filter((id) => adminIds.includes(id)).map((roleId) => ({ userId, roleId })),
    );
    const isTaken = (one: Required<Taken>, { userId = one.userId, roleId = one.roleId }: Taken) =>
      one.userId === userId && one.roleId === roleId;
    return (taken) => !areAllHere || held.length === 0 || held.some((one) => !isTaken(one, taken));
  }, [members, adminIds, areAllHere]);
}

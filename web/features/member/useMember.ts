import { useEffect, useState } from 'react';
import { api, type Records } from '../../api/index.ts';
import { useActions, useRows } from '../../replica/hooks.ts';

type Member = Records['ListedServerMember'];

/** The rows of a page of members. */
export const membersIn = (page: readonly Member[]) => ({
  serverMember: [...page],
  user: page.map(({ user }) => user),
});

/** A member of a server; asked for by one request if the replica lacks them. */
export function useMember(
  serverId: string,
  userId: string,
): { member: Member | undefined; isLoading: boolean } {
  const { load } = useActions();
  const [member] = useRows('serverMember', 'serverId+userId', `${serverId}+${userId}`);
  const [isLoading, setLoading] = useState(true);
  const isHere = member !== undefined;
  useEffect(() => {
    if (isHere) return setLoading(false);
    setLoading(true);
    // Somebody who is no member is shown by their name alone.
    load(() => api(serverId).serverMembers({ serverId, userIds: userId }), membersIn)
      .catch(() => undefined)
      .finally(() => setLoading(false));
  }, [isHere, load, serverId, userId]);
  return { member, isLoading };
}

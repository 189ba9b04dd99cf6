import { useEffect, useState } from 'react';
import { api, type Records } from '../../api/index.ts';
import { useActions, useRows } from '../../replica/hooks.ts';

type Member = Records['ListedServerMember'];

/** The rows in a page of members, for the replica. */
export const membersIn = (page: readonly Member[]) => ({
  serverMember: [...page],
  user: page.map(({ user }) => user),
});

/** Returns a server member, and fetches the member if it is not cached. */
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
    // Users who are not members are shown with only their name.
    load(() => api(serverId).serverMembers({ serverId, userIds: userId }), membersIn)
      .catch(() => undefined)
      .finally(() => setLoading(false));
  }, [isHere, load, serverId, userId]);
  return { member, isLoading };
}

import { useMemo, useState } from 'react';
import { giveRole, takeRole } from '../../../api/grants.ts';
import type { Records } from '../../../api/records.ts';
import { serverSettings as t } from '../../../strings/en/serverSettings.ts';
import { messageOf, toast } from '../../../ui/index.ts';

type Member = Records['ListedServerMember'];
type Role = Records['Role'];

/** Maximum delay, in ms, between the response to a change and its event. */
const ARRIVAL = 2000;

/** Role assignments, including pending ones. */
export interface Grants {
  has(member: Member, roleId: string): boolean;
  set(member: Member, role: Role, isGiven: boolean): void;
}

/**
 * Assigns and removes roles optimistically. A change that the server rejects is rolled back, with an error
 * toast.
 */
export function useGrants(serverId: string): Grants {
  const [wishes, setWishes] = useState<Readonly<Record<string, boolean>>>({});
  // The same object as long as nothing is pending, so long lists do not re-render.
  return useMemo(() => {
    const keyOf = (member: Member, roleId: string) => `${member.id} ${roleId}`;

    async function set(member: Member, role: Role, isGiven: boolean): Promise<void> {
      const key = keyOf(member, role.id);
      const forget = () => setWishes(({ [key]: _, ...others }) => others);
      setWishes((before) => ({ ...before, [key]: isGiven }));
      try {
        const ids = { userId: member.userId, roleId: role.id };
        await (isGiven ? giveRole : takeRole)(serverId, ids);
        setTimeout(forget, ARRIVAL);
      } catch (error) {
        toast.show(t.notSaved({ why: messageOf(error) }), { kind: 'bad' });
        forget();
      }
    }

    return {
      has: (member, roleId) => wishes[keyOf(member, roleId)] ?? member.roleIds.includes(roleId),
      set,
    };
  }, [serverId, wishes]);
}

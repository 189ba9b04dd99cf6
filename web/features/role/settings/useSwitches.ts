import { useState } from 'react';
import type { Flag } from '../../../../client/src/index.ts';
import { api, type Records } from '../../../api/index.ts';
import { useActions } from '../../../replica/hooks.ts';
import { serverSettings } from '../../../strings/en/serverSettings.ts';
import { messageOf, toast } from '../../../ui/index.ts';
import { withProof } from '../../session/index.ts';

type Role = Records['Role'];

/** The flags of roles, including pending changes. */
export interface Switches {
  isOn(role: Role, flag: Flag): boolean;
  turn(role: Role, flag: Flag, isOn: boolean): void;
}

/** Changes flags optimistically. A change that the server rejects is rolled back, with an error toast. */
export function useSwitches(serverId: string): Switches {
  const [wishes, setWishes] = useState<Readonly<Record<string, boolean>>>({});
  const { load } = useActions();
  const keyOf = (role: Role, flag: Flag) => `${role.id} ${flag}`;

  async function turn(role: Role, flag: Flag, isOn: boolean): Promise<void> {
    const key = keyOf(role, flag);
    setWishes((before) => ({ ...before, [key]: isOn }));
    try {
      await load(
        () => withProof(() => api(serverId).roleUpdate({ roleId: role.id, [flag]: isOn })),
        (changed) => ({ role: [changed] }),
      );
    } catch (error) {
      toast.show(serverSettings.notSaved({ why: messageOf(error) }), { kind: 'bad' });
    }
    // The role has the new value, or the server rejected it: either way, the optimistic value is no longer needed.
    setWishes(({ [key]: _, ...others }) => others);
  }

  return { isOn: (role, flag) => wishes[keyOf(role, flag)] ?? role[flag], turn };
}

import { useState } from 'react';
import type { Flag } from '../../../../client/src/index.ts';
import { api, type Records } from '../../../api/index.ts';
import { useActions } from '../../../replica/hooks.ts';
import { serverSettings } from '../../../strings/en/serverSettings.ts';
import { messageOf, toast } from '../../../ui/index.ts';
import { withProof } from '../../session/index.ts';

type Role = Records['Role'];

/** The flags of roles as they show, and how they are changed. */
export interface Switches {
  isOn(role: Role, flag: Flag): boolean;
  turn(role: Role, flag: Flag, isOn: boolean): void;
}

/** A change shows at once, is saved, and is undone with a word on why if the server refuses it. */
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
    // From here on the role itself says it.
    setWishes(({ [key]: _, ...others }) => others);
  }

  return { isOn: (role, flag) => wishes[keyOf(role, flag)] ?? role[flag], turn };
}

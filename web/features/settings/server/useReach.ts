import type { Flag } from '../../../../client/src/index.ts';
import { flagsBeyond, flagsOf } from '../../../may/flags.ts';
import { type Permission, useMay } from '../../../may/index.ts';
import { useRow, useRows, useServer } from '../../../replica/hooks.ts';
import { keySettings as t } from '../../../strings/en/programs.ts';
import { useUser } from './Who.tsx';

/** The role and the user of an API key or a webhook. */
interface Made {
  serverId: string;
  roleId: string | null;
  userId: string | null;
}

/** The user's permissions on an API key or a webhook. */
interface Reach {
  /** Permission to edit the key or webhook, or to rotate its secret. */
  change: Permission;
  remove: Permission;
}

const none: readonly Flag[] = [];

/**
 * The user's permissions on an API key. The server makes the final decision, because only the server knows
 * which private channels a role can see.
 */
export function useReachOfKey({ serverId, roleId, userId }: Made): Reach {
  const user = useUser(serverId, userId);
  const { server } = useServer(serverId);
  const { flags, beyond } = useFlags(serverId, roleId);
  const actsAs = user &&
    server && {
      // Only the server knows whether an agent is a platform admin.
      user: { id: user.id, type: user.type, platformAdmin: false },
      serverCreatorId: server.creatorId,
    };
  const isOwn = useServer(serverId).state?.standing.userId === userId;
  const facts = actsAs && !isOwn ? { actsAs } : {};
  const mint = useMay(serverId, 'secret update', {}, facts);
  const change = useMay(serverId, 'secret update', {}, { holdsFlags: { flags }, ...facts });
  const withinReach = { flags: beyond, seesMore: false, actsAsAnother: !mint.allowed };
  const isAnothers = !change.allowed && change.need.length === 0;
  return {
    change: isAnothers ? { ...change, message: t.ofAnother } : change,
    remove: useMay(serverId, 'secret delete', {}, { withinReach }),
  };
}

/** The user's permissions on a webhook. */
export function useReachOfWebhook({ serverId, roleId }: Omit<Made, 'userId'>): Reach {
  const { flags, beyond } = useFlags(serverId, roleId);
  const standing = useServer(serverId).state?.standing;
  const isOwn = roleId !== null && standing?.roleIds.includes(roleId);
  const change = useMay(serverId, 'webhook update', {}, { holdsFlags: { flags: isOwn ? none : flags } });
  const withinReach = { flags: beyond, seesMore: false, actsAsAnother: false };
  return { change, remove: useMay(serverId, 'webhook delete', {}, { withinReach }) };
}

function useFlags(
  serverId: string,
  roleId: string | null,
): { flags: readonly Flag[]; beyond: readonly Flag[] } {
  const role = useRow('role', roleId);
  const roles = useRows('role', 'serverId', serverId);
  return role ? { flags: flagsOf(role), beyond: flagsBeyond(roles, [role]) } : { flags: none, beyond: none };
}

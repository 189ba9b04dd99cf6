import { api } from '../../../api/index.ts';
import { platform as t } from '../../../strings/en/platform.ts';
import { Confirm, type IconName, toast, WithName } from '../../../ui/index.ts';
import { withProof } from '../../session/index.ts';
import type { PlatformUser } from './find.ts';
import { MakeLink } from './MakeLink.tsx';
import { UserDetails } from './UserDetails.tsx';

/** An admin's action on a user. */
export type Act = 'look' | 'link' | 'signOut' | 'makeAdmin' | 'endAdmin' | 'suspend' | 'lift';

interface ActRow {
  kind: Act;
  icon: IconName;
  isDanger?: boolean;
  fits: (user: PlatformUser, myId: string) => boolean;
}

const isPerson = ({ type }: PlatformUser) => type === 'person';

/** The actions, and the users they apply to. */
export const acts: readonly ActRow[] = [
  { kind: 'look', icon: 'id-card', fits: () => true },
  { kind: 'link', icon: 'link', fits: isPerson },
  { kind: 'signOut', icon: 'log-out', fits: (user, myId) => isPerson(user) && user.id !== myId },
  { kind: 'makeAdmin', icon: 'crown', fits: (user) => isPerson(user) && !user.platformAdmin },
  { kind: 'endAdmin', icon: 'crown', isDanger: true, fits: ({ platformAdmin }) => platformAdmin },
  {
    kind: 'suspend',
    icon: 'ban',
    isDanger: true,
    fits: ({ id, suspendedAt }, myId) => suspendedAt === null && id !== myId,
  },
  { kind: 'lift', icon: 'circle-check', fits: ({ suspendedAt }) => suspendedAt !== null },
];

/**
 * Suspends a user and all of their agents, or lifts the suspension. One request covers a few thousand
 * agents, so it is repeated until none are left.
 */
async function reachAll(
  kind: 'suspend' | 'lift',
  id: string,
): Promise<{ user: PlatformUser; agents: number }> {
  let agents = 0;
  while (true) {
    const ask = () =>
      kind === 'suspend' ? api('none').platformUserSuspend({ id }) : api('none').platformUserLift({ id });
    const { agents: reached, isAll, ...user } = await withProof(ask);
    agents += reached;
    if (isAll) return { user, agents };
  }
}

interface UserActProps {
  user: PlatformUser;
  kind: Act;
  onChange: (user: PlatformUser) => void;
  onClose: () => void;
}

/** The dialog for an action. Asks for confirmation if needed. */
export function UserAct({ user, kind, onChange, onClose }: UserActProps) {
  const { id, name } = user;
  if (kind === 'look') return <UserDetails user={user} onClose={onClose} />;
  if (kind === 'link') return <MakeLink user={user} onClose={onClose} />;

  async function run(): Promise<void> {
    switch (kind) {
      case 'signOut':
        onChange(await withProof(() => api('none').platformUserSignOut({ id })));
        break;
      case 'makeAdmin':
      case 'endAdmin': {
        const platformAdmin = kind === 'makeAdmin';
        onChange(await withProof(() => api('none').platformUserUpdate({ id, platformAdmin })));
        break;
      }
      case 'suspend':
      case 'lift': {
        const { user: changed, agents } = await reachAll(kind, id);
        onChange(changed);
        toast.show(t.users.reached[kind]({ name, agents }), { kind: 'good' });
        return;
      }
    }
    toast.show(t.users.done, { kind: 'good' });
  }

  const words = t.users.confirm[kind];
  return (
    <Confirm
      title={<WithName words={words.title} values={{ name }} />}
      text={words.text}
      action={t.users.acts[kind]}
      isDanger={kind === 'suspend' || kind === 'endAdmin'}
      onConfirm={run}
      onClose={onClose}
    />
  );
}

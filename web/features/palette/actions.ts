import { base } from '../../api/base.ts';
import type { Operation } from '../../may/index.ts';
import { common } from '../../strings/en/common.ts';
import { palette as t, serverMenu as words } from '../../strings/en/menus.ts';
import { type IconName, toast } from '../../ui/index.ts';
import { densityNow, isDark, setAppearance } from '../appearance/index.ts';
import { browseChannels, createChannel } from '../channel/index.ts';
import { createInvite } from '../invite/index.tsx';
import { createServer } from '../server/index.tsx';
import { askToLeave } from '../server/leave/index.tsx';
import { signOut } from '../session/index.ts';
import type { AllFrom } from './from.ts';
import type { Entry } from './rank.ts';

type Server = { id: string; name: string };

/** Actions other than those of a channel, limited to what the user is allowed to do. */
export function actionEntries(
  { session, route, statuses }: AllFrom,
  servers: readonly Server[],
  mayIn: (serverId: string, operation: Operation) => boolean,
): Entry[] {
  const here = 'serverId' in route ? route.serverId : undefined;
  const inServer = ({ id: serverId, name }: Server): Entry[] => {
    const about = servers.length === 1 ? undefined : t.inServer({ name });
    const of = (id: string, icon: IconName, label: string, run: () => void): Entry => ({
      ...action(`${id}-${serverId}`, icon, label, run),
      ...(about !== undefined && { about }),
    });
    const isOwn = session.replica.states.get(serverId)?.standing.isServerCreator !== false;
    return [
      mayIn(serverId, 'invite insert') &&
        of('invite', 'user-plus', common.invitePeople, () => createInvite(serverId)),
      mayIn(serverId, 'channel insert') &&
        of('channel', 'plus', common.createChannel, () => createChannel(serverId)),
      of('browse', 'search', words.browse, () => browseChannels(serverId)),
      !isOwn && of('leave', 'log-out', words.leave, () => askToLeave({ id: serverId, name })),
    ].filter((entry) => entry !== false);
  };
  const theme = isDark() ? 'light' : 'dark';
  const density = densityNow() === 'compact' ? 'cosy' : 'compact';
  return [
    ...servers.filter(({ id }) => id === here).flatMap(inServer),
    action('create', 'plus', common.createServer, createServer),
    action('theme', theme === 'dark' ? 'moon' : 'sun', t.actions.theme[theme], () =>
      setAppearance({ theme }),
    ),
    action('density', 'list', t.actions.density[density], () => setAppearance({ density })),
    action('read', 'check', t.actions.readAll, () => void session.actions.readAll()),
    ...statuses.flatMap((item) =>
      typeof item === 'object' && 'label' in item
        ? [
            action(
              `status-${item.label}`,
              'user',
              item.isOneOf ? t.actions.status({ status: item.label }) : item.label,
              () => item.onSelect(),
            ),
          ]
        : [],
    ),
    action('docs', 'external-link', t.actions.docs, () => void open(`${base}/docs/`, '_blank', 'noopener')),
    action('out', 'log-out', common.signOut, () => void signOut().catch(toast.error)),
    // Other servers' actions come last, and are found by the server's name.
    ...servers.filter(({ id }) => id !== here).flatMap(inServer),
  ];
}

const action = (id: string, icon: IconName, name: string, run: () => void): Entry => ({
  id,
  kind: 'action',
  icon,
  name,
  run,
});

import type { Operation } from '../../may/index.ts';
import { navigate } from '../../routes.ts';
import { palette as t } from '../../strings/en/palette.ts';
import { toast } from '../../ui/index.ts';
import { isDark, setAppearance } from '../appearance/index.ts';
import { signOut } from '../session/index.ts';
import type { From } from './from.ts';
import type { Entry } from './rank.ts';

/** The actions that the person may do, and their own settings. What a server forbids is not offered here. */
export function actionEntries(
  { session, serverId: here, ask, isAdmin }: From,
  servers: readonly { id: string; name: string }[],
  mayIn: (serverId: string, operation: Operation) => boolean,
): Entry[] {
  const inServer = (server: { id: string; name: string }): Entry[] =>
    (
      [
        ['invite', 'invite insert', t.actions.invite],
        ['channel', 'channel insert', t.actions.createChannel],
      ] as const
    )
      .filter(([, operation]) => mayIn(server.id, operation))
      .map(([dialog, , name]) => ({
        id: `${dialog}-${server.id}`,
        kind: 'action',
        name,
        about: servers.length === 1 ? undefined : t.inServer(server.name),
        run: () => ask({ dialog, serverId: server.id }),
      }));
  const theme = isDark() ? 'light' : 'dark';
  return [
    ...servers.filter(({ id }) => id === here).flatMap(inServer),
    action('create', t.actions.createServer, () => ask({ dialog: 'server' })),
    action('theme', t.actions.theme[theme], () => setAppearance({ theme })),
    action('read', t.actions.readAll, () => void session.actions.readAll()),
    action('docs', t.actions.docs, () => void open('/docs/', '_blank', 'noopener')),
    action('out', t.actions.signOut, () => void signOut().catch(toast.error)),
    // Those of other servers come after one's own: they are found by the name of their server.
    ...servers.filter(({ id }) => id !== here).flatMap(inServer),
    { id: 'me', kind: 'setting', name: t.settings.me, run: () => navigate({ page: 'me' }) },
    ...t.ownPages.map(
      ({ section, name }): Entry => ({
        id: `me-${section}`,
        kind: 'setting',
        name,
        about: t.settings.me,
        run: () => navigate({ page: 'me', section }),
      }),
    ),
    ...(isAdmin
      ? [
          {
            id: 'platform',
            kind: 'setting' as const,
            name: t.settings.platform,
            run: () => navigate({ page: 'platform' }),
          },
        ]
      : []),
  ];
}

const action = (id: string, name: string, run: () => void): Entry => ({ id, kind: 'action', name, run });

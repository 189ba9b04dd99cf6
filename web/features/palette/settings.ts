import { navigate, type Route } from '../../routes.ts';
import { common } from '../../strings/en/common.ts';
import { palette as t } from '../../strings/en/menus.ts';
import type { Entry } from './rank.ts';

const setting = (id: string, name: string, about: string | undefined, route: Route): Entry => ({
  id,
  kind: 'setting',
  name,
  ...(about !== undefined && { about }),
  run: () => navigate(route),
});

/** The settings of a server, and each of their pages. */
export const serverPages = ({ id: serverId, name }: { id: string; name: string }): Entry[] => [
  setting(`settings-${serverId}`, t.settings.server, name, { page: 'serverSettings', serverId }),
  ...Object.entries(t.serverPages).map(([section, page]) =>
    setting(`settings-${serverId}-${section}`, page, t.settings.of({ server: name }), {
      page: 'serverSettings',
      serverId,
      section,
    }),
  ),
];

/** The user's own settings, and each of their pages. */
export const ownPages = (): Entry[] => [
  setting('me', common.yourSettings, undefined, { page: 'me' }),
  ...Object.entries(t.ownPages).map(([section, name]) =>
    setting(`me-${section}`, name, common.yourSettings, { page: 'me', section }),
  ),
];

/** The pages of saved and scheduled messages. */
export const laterPages = (): Entry[] =>
  (Object.entries(t.laterPages) as [string, string][]).map(([section, name]) =>
    setting(`later-${section}`, name, undefined, { page: 'later', section }),
  );

/** The platform's admin pages. */
export const platformPages = (): Entry[] => [
  setting('platform', t.settings.platform, undefined, { page: 'platform' }),
  ...Object.entries(t.platformPages).map(([section, name]) =>
    setting(`platform-${section}`, name, t.settings.platform, { page: 'platform', section }),
  ),
];

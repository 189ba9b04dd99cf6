import { navigate, type Route } from '../../routes.ts';
import { palette as t } from '../../strings/en/palette.ts';
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
  ...t.serverPages.map(({ section, name: page }) =>
    setting(`settings-${serverId}-${section}`, page, t.settings.of(name), {
      page: 'serverSettings',
      serverId,
      section,
    }),
  ),
];

/** One's own settings, and each of their pages. */
export const ownPages = (): Entry[] => [
  setting('me', t.settings.me, undefined, { page: 'me' }),
  ...t.ownPages.map(({ section, name }) =>
    setting(`me-${section}`, name, t.settings.me, { page: 'me', section }),
  ),
];

/** The pages of those who administer the platform. */
export const platformPages = (): Entry[] => [
  setting('platform', t.settings.platform, undefined, { page: 'platform' }),
  ...t.platformPages.map(({ section, name }) =>
    setting(`platform-${section}`, name, t.settings.platform, { page: 'platform', section }),
  ),
];

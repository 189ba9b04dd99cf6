import type { Session } from '../../replica/index.ts';
import { navigate, pathOf, routeOf } from '../../routes.ts';
import { showProfile } from '../member/index.ts';
import type { Entry } from './rank.ts';

/** The server's link in the server rail, which is on every page. The profile popover is anchored to it. */
const linkOf = (serverId: string): HTMLElement =>
  document.querySelector<HTMLElement>(
    `.rail [href^="${CSS.escape(pathOf({ page: 'server', serverId }))}"]`,
  ) ?? document.body;

/** The loaded members of a server. Each entry opens their profile in that server. */
export const personEntries = (
  replica: Session['replica'],
  serverId: string,
  about: string | undefined,
): Entry[] =>
  replica.rows('serverMember', 'serverId', serverId).flatMap(({ userId, nickname }): Entry[] => {
    const user = replica.row('user', userId);
    if (!user) return [];
    const name = nickname ?? user.name;
    const isOther = name !== user.name;
    return [
      {
        id: `${serverId}-${userId}`,
        kind: 'person',
        name,
        about: [isOther && user.name, `@${user.username}`, about].filter(Boolean).join(' '),
        run: () => {
          const here = routeOf(location.href);
          if (here.page !== 'server' || here.serverId !== serverId) navigate({ page: 'server', serverId });
          showProfile(userId, linkOf(serverId));
        },
      },
    ];
  });

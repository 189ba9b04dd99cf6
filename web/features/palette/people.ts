import { api } from '../../api/index.ts';
import type { Session } from '../../replica/index.ts';
import { navigate, pathOf, routeOf } from '../../routes.ts';
import { showProfile } from '../member/index.ts';
import type { Entry } from './rank.ts';

/** The link of a server in the list of servers, which is there in every page: the profile lies beside it. */
const linkOf = (serverId: string): HTMLElement =>
  document.querySelector<HTMLElement>(
    `.rail [href^="${CSS.escape(pathOf({ page: 'server', serverId }))}"]`,
  ) ?? document.body;

/** The members whom the palette asks for when it opens. */
const ASKED = 100;
const asked = new Set<string>();

/** Brings members of a server once, so that people are found before anything of theirs was seen. */
export function bringPeople(session: Session, serverId: string): void {
  if (asked.has(serverId)) return;
  asked.add(serverId);
  session.actions
    .load(
      () => api(serverId).serverMembers({ serverId, limit: ASKED }),
      (members) => ({ serverMember: [...members], user: members.map(({ user }) => user) }),
    )
    // Those who are known already are found, and it is asked again the next time.
    .catch(() => asked.delete(serverId));
}

/** The members of a server who are known here. Each opens their profile in it. */
export const personEntries = (
  replica: Session['replica'],
  serverId: string,
  about: string | undefined,
): Entry[] =>
  replica.rows('serverMember', 'serverId', serverId).flatMap(({ userId, nickname }): Entry[] => {
    const user = replica.row('user', userId);
    if (!user) return [];
    const name = nickname ?? user.name;
    return [
      {
        id: `${serverId}-${userId}`,
        kind: 'person',
        name,
        about: [`@${user.username}`, about].filter(Boolean).join(' '),
        run: () => {
          const here = routeOf(location.href);
          if (here.page !== 'server' || here.serverId !== serverId) navigate({ page: 'server', serverId });
          showProfile(userId, linkOf(serverId));
        },
      },
    ];
  });

import { api, type Records } from '../../../api/index.ts';

/** A hold with the name of its server and the username of its user, each undefined if it is not known. */
export type Hold = Records['Hold'] & { server: string | undefined; username: string | undefined };

/** Page size. */
const MOST = 50;

/** Maximum servers offered for a hold. */
const MOST_SERVERS = 1_000;

/** The servers of the platform, newest first. */
export async function everyServer(): Promise<Records['PlatformServer'][]> {
  const all: Records['PlatformServer'][] = [];
  for await (const server of api('none').platformServers({ limit: 100 })) {
    all.push(server);
    if (all.length >= MOST_SERVERS) break;
  }
  return all;
}

/** A page of holds, newest first. */
export async function holdsPage(cursor: string | undefined) {
  const [page, servers] = await Promise.all([
    api('none').platformHolds({ limit: MOST, expand: 'user', ...(cursor && { cursor }) }),
    everyServer(),
  ]);
  const serverNames = new Map(servers.map(({ id, name }) => [id, name]));
  const users = page.expanded?.users ?? {};
  const holds = page.map(
    (hold): Hold => ({
      ...hold,
      server: serverNames.get(hold.serverId),
      username: users[hold.userId ?? '']?.username,
    }),
  );
  return Object.assign(holds, { nextCursor: page.nextCursor });
}

/** The id of the user with this username, if there is one. */
export async function userIdOf(typed: string): Promise<string | undefined> {
  const username = typed.replace(/^@/, '').toLowerCase();
  const found = await api('none').platformUsers({ username, limit: 10 });
  return found.find((user) => user.username === username)?.id;
}

/** Whether a hold is still in effect. */
export const isActive = ({ endedAt, until }: Hold): boolean =>
  endedAt === null && (until === null || until > Date.now());

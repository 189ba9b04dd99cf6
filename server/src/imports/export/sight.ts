import { type PersonStanding, personOf, rolesOf } from '../../access/credentials/session.ts';
import { canSeeChannel } from '../../access/visibility.ts';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, q } from '../../db/statements.ts';

/** Maximum cached servers. */
const MAX_SERVERS = 500;

/** A server as shown in a person's export. */
interface Seen {
  /** Undefined if the server is deleted. */
  server: { id: string; name: string | null } | undefined;
  standing: ReturnType<typeof personOf>;
}

/** Looks up the servers and channels that a person can currently see. */
export class Sight {
  readonly #db: Reader;
  readonly #userId: string;
  readonly #servers = new Map<string, Promise<Seen>>();

  constructor(db: Reader, userId: string) {
    this.#db = db;
    this.#userId = userId;
  }

  /** Returns the server. Its name is null if the person is not a member. Undefined if it was deleted. */
  async server(id: string): Promise<Seen['server']> {
    return (await this.#of(id)).server;
  }

  async sees(channel: RowOf<'channel'>): Promise<boolean> {
    const { standing } = await this.#of(channel.serverId);
    return canSeeChannel(standing, channel.serverId, channel);
  }

  #of(serverId: string): Promise<Seen> {
    const known = this.#servers.get(serverId) ?? this.#load(serverId);
    if (this.#servers.size >= MAX_SERVERS) this.#servers.clear();
    this.#servers.set(serverId, known);
    return known;
  }

  async #load(serverId: string): Promise<Seen> {
    const server = await this.#db.first(find('server', { id: serverId }));
    const row = await this.#db.first<PersonStanding>(
      q
        .selectFrom('user')
        .leftJoin('serverMember', (join) =>
          join.onRef('serverMember.userId', '=', 'user.id').on('serverMember.serverId', '=', serverId),
        )
        .leftJoin('server', (join) =>
          join.onRef('server.id', '=', 'serverMember.serverId').on('server.deletedAt', 'is', null),
        )
        .select(['user.id as userId', 'user.type as userType', 'user.platformAdmin'])
        .select(['server.id as serverId', 'server.creatorId', 'serverMember.timeoutUntil'])
        .select(rolesOf.as('roles'))
        .where('user.id', '=', this.#userId),
    );
    if (!row) throw new Error('the user of an export no longer exists');
    const standing = personOf(row);
    const isMember = standing.serverId !== null;
    const isThere = server && server.deletedAt === null;
    return {
      server: isThere ? { id: serverId, name: isMember ? server.name : null } : undefined,
      standing,
    };
  }
}

import { sql } from 'kysely';
import type { Reader } from '../../db/contract.ts';
import { prepare, q } from '../../db/statements.ts';
import { FIRST_ID } from '../../lib/deps.ts';
import { KeywordIndex } from '../../lib/text/keywords.ts';
import { keywordVersion } from './keywords.ts';

/** Number of rows per query. */
const PAGE_ROWS = 500;
/** Maximum keywords in memory, about 40 MB. The indexes that were updated least recently are dropped. */
const MAX_KEYWORDS = 400_000;
const MAX_SERVERS = 1_000;

interface OfServer {
  index: KeywordIndex;
  /** The index has all changes up to this version. */
  version: number;
}

const ofMembers = prepare((p: { serverId: string; after: string }) =>
  q
    .selectFrom('serverMember')
    // With an inner join, the query planner could start with the other table.
    .leftJoin('keywordList', 'keywordList.id', 'serverMember.userId')
    .select(['serverMember.userId as id', 'keywordList.keywords'])
    .where('serverMember.serverId', '=', p.serverId)
    .where('serverMember.userId', '>', p.after)
    .orderBy('serverMember.userId')
    .limit(sql.lit(PAGE_ROWS)),
);

const newer = prepare((p: { version: number }) =>
  q
    .selectFrom('keywordList')
    .select(['id', 'keywords'])
    .where('version', '>', p.version)
    .orderBy('version')
    .limit(sql.lit(PAGE_ROWS)),
);

const membersAmong = (serverId: string, userIds: readonly string[]) =>
  q
    .selectFrom('serverMember')
    .select('userId')
    .where('serverId', '=', serverId)
    .where('userId', 'in', userIds);

/**
 * The keywords of each server's members, cached by a node. A send compares the cached version with the
 * database's, so that changes on any node take effect with the next message. Users who have left remain in an
 * index, so callers must check who can see the message.
 */
export class KeywordIndexes {
  static readonly #ofReaders = new WeakMap<Reader, KeywordIndexes>();
  readonly #db: Reader;
  readonly #servers = new Map<string, OfServer>();
  readonly #underWay = new Map<string, Promise<unknown>>();

  private constructor(db: Reader) {
    this.#db = db;
  }

  /** Returns the cache for a database. `db` reads committed data. */
  static of(db: Reader): KeywordIndexes {
    const known = KeywordIndexes.#ofReaders.get(db);
    if (known) return known;
    const made = new KeywordIndexes(db);
    KeywordIndexes.#ofReaders.set(db, made);
    return made;
  }

  /**
   * Whether a message may contain a keyword of somebody other than its author. Also true if the index is
   * older than this version; it is then updated in the background.
   */
  mayNotify(
    { serverId, content, creatorId }: { serverId: string; content: string; creatorId: string },
    version: number,
  ): boolean {
    if (version === 0) return false;
    const known = this.#servers.get(serverId);
    if (known?.version === version) return known.index.usersIn(content).some((id) => id !== creatorId);
    this.current(serverId).catch(() => undefined);
    return true;
  }

  /** Returns the index of a server, with all committed changes. */
  async current(serverId: string): Promise<KeywordIndex> {
    const before = this.#underWay.get(serverId);
    const update = (before ?? Promise.resolve()).catch(() => undefined).then(() => this.#update(serverId));
    this.#underWay.set(serverId, update);
    try {
      return await update;
    } finally {
      if (this.#underWay.get(serverId) === update) this.#underWay.delete(serverId);
    }
  }

  async #update(serverId: string): Promise<KeywordIndex> {
    const known = this.#servers.get(serverId);
    const version = await keywordVersion(this.#db);
    const index =
      known && (known.version === version || (await this.#catchUp(serverId, known)))
        ? known.index
        : await this.#load(serverId);
    this.#servers.delete(serverId);
    this.#servers.set(serverId, { index, version });
    this.#makeRoom(serverId);
    return index;
  }

  /** Adds the changes since the index was read. Returns false if there are too many. */
  async #catchUp(serverId: string, { index, version }: OfServer): Promise<boolean> {
    const rows = await this.#db.all(newer({ version }));
    if (rows.length === PAGE_ROWS) return false;
    if (rows.length === 0) return true;
    const ids = rows.map(({ id }) => id);
    const members = new Set((await this.#db.all(membersAmong(serverId, ids))).map(({ userId }) => userId));
    for (const { id, keywords } of rows) index.set(id, members.has(id) ? keywords : []);
    return true;
  }

  async #load(serverId: string): Promise<KeywordIndex> {
    const index = new KeywordIndex();
    let [after, count] = [FIRST_ID, PAGE_ROWS];
    while (count === PAGE_ROWS) {
      const page = ofMembers({ serverId, after });
      // Yields to other long reads between pages.
      const rows = await this.#db.inTurn((db) => db.all(page));
      for (const { id, keywords } of rows) if (keywords) index.set(id, keywords);
      count = rows.length;
      after = rows.at(-1)?.id ?? after;
    }
    return index;
  }

  #makeRoom(except: string): void {
    let size = 0;
    for (const { index } of this.#servers.values()) size += index.size;
    for (const [serverId, { index }] of this.#servers) {
      if (size <= MAX_KEYWORDS && this.#servers.size <= MAX_SERVERS) return;
      if (serverId === except) continue;
      this.#servers.delete(serverId);
      size -= index.size;
    }
  }
}

import { sql } from 'kysely';
import type { Reads, Tx } from '../db/contract.ts';
import { find, insert, q } from '../db/statements.ts';
import { newRow } from '../lib/deps.ts';
import { foldedName } from '../lib/foldedName.ts';
import { cleanName } from '../lib/names.ts';
import { MAX_NAME_CHARACTERS } from '../operations/fields.ts';
import { newPlaceholder } from '../resources/placeholder.ts';
import { isReserved, isUsername, MAX_USERNAME_CHARACTERS } from '../resources/user.ts';
import { accountsAt, bannedAmong, departedAmong, knownUsers, membersAmong, takenUsernames } from './known.ts';
import { idsFor, type PersonRow } from './row.ts';
import { applied, type Target } from './target.ts';

/** A person of the archive, as a user on this server. */
export interface Imported {
  id: string;
  username: string;
  type: 'person' | 'agent';
}

interface Decision extends Imported {
  row: PersonRow;
  outcome: 'new' | 'present' | 'merged';
  joins: boolean;
  /**
   * The id of the imported user, even after an account has claimed it. Undefined if the
   * person's email address matched an account.
   */
  placeholderId?: string;
}

/** Maximum suffixes tried for a taken username. */
const MAX_SUFFIX = 10_000;

/** Finds or adds the users of an archive, and makes them members. */
export class People {
  readonly #target: Target;
  readonly #users = new Map<string, Imported>();
  /** The ids of people in the archive, including those already claimed by an account. */
  readonly placeholders: string[] = [];
  /** The usernames assigned so far, which a dry run does not store. */
  readonly #given = new Set<string>();

  constructor(target: Target) {
    this.#target = target;
  }

  find(id: string): Imported | undefined {
    return this.#users.get(id);
  }

  get size(): number {
    return this.#users.size;
  }

  async write(all: readonly PersonRow[]): Promise<void> {
    const { tally } = this.#target;
    const rows = all.filter(({ id }) => !this.#users.has(id));
    const decisions = await applied(
      this.#target,
      (reads) => this.#decide(reads, rows),
      (tx, planned) => this.#apply(tx, planned),
    );
    for (const { row, id, username, type, outcome, placeholderId } of decisions) {
      if (placeholderId !== undefined) this.placeholders.push(placeholderId);
      this.#users.set(row.id, { id, username, type });
      this.#given.add(username);
      if (outcome === 'new') tally.written('people');
      else tally.present('people');
      if (outcome === 'merged')
        tally.note('people', 'matches an existing account with the same verified email address');
      if (outcome === 'new' && username !== row.username.toLowerCase())
        tally.note('people', 'got another username, because theirs is taken or not valid here');
    }
  }

  async #decide(reads: Reads, rows: readonly PersonRow[]): Promise<Decision[]> {
    const { source, server } = this.#target;
    const emails = rows.flatMap(({ email }) => (email ? [{ email: email.toLowerCase() }] : []));
    const byEmail = new Map<string, { id: string; username: string }>();
    if (emails.length > 0)
      for (const { email, ...user } of await reads.all(accountsAt(reads.dialect, emails)))
        byEmail.set(email, user);
    const derive = idsFor(server.id, source);
    const ids = rows.flatMap(({ id }) => [{ id }, { id: derive('person', id, 0) }]);
    const known = new Map((await reads.all(knownUsers(reads.dialect, ids))).map((user) => [user.id, user]));
    const decisions: Decision[] = [];
    const taken = new Set<string>();
    for (const row of rows) {
      const account = row.type === 'person' && row.email ? byEmail.get(row.email.toLowerCase()) : undefined;
      if (account) {
        decisions.push({ row, ...account, type: 'person', outcome: 'merged', joins: row.isMember });
        continue;
      }
      // Anybody can put arbitrary ids into a Palaver archive, so the username must also match.
      const isSame = (id: string) =>
        known.has(id) && (source !== 'palaver' || id !== row.id || known.get(id)?.username === row.username);
      const id = isSame(row.id) ? row.id : known.has(row.id) ? derive('person', row.id, 0) : row.id;
      const user = known.get(id);
      if (user) {
        // Users added by an earlier import do not rejoin: if they are no longer members, they left or were
        // removed.
        const { type, accountId, accountName } = user;
        if (accountId !== null && accountName !== null) {
          const account = { id: accountId, username: accountName, placeholderId: id };
          decisions.push({ row, ...account, type, outcome: 'present', joins: false });
          continue;
        }
        const joins = this.#target.isFirst && row.isMember && user.suspendedAt === null;
        const known = { id, username: user.username, placeholderId: id };
        decisions.push({ row, ...known, type, outcome: 'present', joins });
        continue;
      }
      const username = await this.#freeUsername(reads, row.username, taken);
      taken.add(username);
      const added = { id, username, placeholderId: id };
      decisions.push({ row, ...added, type: row.type, outcome: 'new', joins: row.isMember });
    }
    return this.#withoutMembers(reads, decisions);
  }

  /** Excludes existing members, and people who have left or are banned, from joining. */
  async #withoutMembers(reads: Reads, decisions: Decision[]): Promise<Decision[]> {
    const { id: serverId } = this.#target.server;
    const asked = decisions.filter(({ joins }) => joins).map(({ id }) => ({ id, serverId }));
    if (asked.length === 0) return decisions;
    const out = new Set(
      [
        ...(await reads.all(membersAmong(reads.dialect, asked))),
        ...(await reads.all(bannedAmong(reads.dialect, asked))),
        ...(await reads.all(departedAmong(reads.dialect, asked))),
      ].map(({ id }) => id),
    );
    const joined = new Set<string>();
    return decisions.map((one) => {
      const joins = one.joins && !out.has(one.id) && !joined.has(one.id);
      if (joins) joined.add(one.id);
      return { ...one, joins };
    });
  }

  async #freeUsername(reads: Reads, wanted: string, taken: ReadonlySet<string>): Promise<string> {
    const cleaned = wanted
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\s+/g, '.')
      .replace(/[^a-z0-9_.-]/g, '')
      .slice(0, MAX_USERNAME_CHARACTERS);
    const base = isUsername(cleaned) ? cleaned : 'user';
    for (let from = 1; from < MAX_SUFFIX; from += 50) {
      const tries = Array.from({ length: 50 }, (_, index) => {
        const number = from + index;
        return number === 1 ? base : `${base.slice(0, MAX_USERNAME_CHARACTERS - 6)}-${number}`;
      }).filter(
        (name) => !isReserved(name, { byPerson: false }) && !taken.has(name) && !this.#given.has(name),
      );
      const found = new Set(
        (
          await reads.all(
            takenUsernames(
              reads.dialect,
              tries.map((username) => ({ username })),
            ),
          )
        ).map(({ username }) => username),
      );
      const free = tries.find((name) => !found.has(name));
      if (free !== undefined) return free;
    }
    throw new Error(`no username like ${base} is free`);
  }

  async #apply(tx: Tx, decisions: readonly Decision[]): Promise<void> {
    const { server, services, source, latest } = this.#target;
    const serverId = server.id;
    const role = await tx.first(find('role', { serverId, isDefault: true }));
    let joined = 0;
    for (const { row, id, username, type, outcome, joins } of decisions) {
      if (outcome === 'new') {
        const name = cleanName(row.name, MAX_NAME_CHARACTERS) || username;
        const at = Math.min(row.createdAt > 0 ? row.createdAt : latest, latest);
        await tx.run(
          insert('user', {
            ...{ id, createdAt: at, updatedAt: at, username, name, nameFolded: foldedName(name) },
            ...{ image: null, type, platformAdmin: false, creatorId: null },
            homeServerId: type === 'agent' ? serverId : null,
            ...{ suspendedAt: null, suspendedWithId: null, directMessages: 'anybody' as const },
          }),
        );
        const email = row.email?.toLowerCase() ?? null;
        if (type === 'person')
          await tx.run(insert('placeholder', newPlaceholder({ id, email, source, now: latest })));
      }
      if (!joins) continue;
      joined++;
      const member = newRow(services.deps, tx.time());
      await tx.run(
        insert('serverMember', {
          ...member,
          ...{ serverId, userId: id, nickname: null, isAgent: type === 'agent', sponsorId: null },
          ...{ nameSkeleton: null, usernameSkeleton: null, lookAlike: null },
        }),
      );
      if (role)
        await tx.run(
          insert('userRole', { ...newRow(services.deps, tx.time()), serverId, userId: id, roleId: role.id }),
        );
    }
    if (joined === 0) return;
    this.#target.hasOtherChanges = true;
    await tx.run(
      q
        .updateTable('server')
        .set({ memberCount: sql<number>`"memberCount" + ${joined}` })
        .where('id', '=', serverId),
    );
  }
}

import type { Reads, Tx } from '../db/contract.ts';
import { find, insert, q } from '../db/statements.ts';
import { newRow } from '../lib/deps.ts';
import { flagColumns } from '../lib/flags.ts';
import { cleanName, nameKey } from '../lib/names.ts';
import { MAX_NAME_CHARACTERS } from '../operations/fields.ts';
import { conversationKey, MAX_MEMBERS } from '../resources/conversation/index.ts';
import type { People } from './people.ts';
import { type ChannelRow, type ConversationRow, idsFor } from './row.ts';
import { applied, type Target } from './target.ts';
import { cleanText } from './texts.ts';

/** A channel or conversation of the archive, as a channel on this server. */
export interface Place {
  id: string;
  name: string;
  isDirect: boolean;
  /** Whether this import, or an earlier one, added the channel. */
  isImported: boolean;
}

interface Decision {
  place: Place;
  outcome: 'new' | 'present';
  note?: string;
}

const MAX_DESCRIPTION = 4_000;
const MAX_SUFFIX = 1_000;

/** Adds the channels and conversations of an archive. */
export class Places {
  readonly #target: Target;
  readonly #people: People;
  readonly #places = new Map<string, Place>();
  /** The keys of the names assigned so far, which a dry run does not store. */
  readonly #keys = new Set<string>();
  readonly #categories = new Set<string>();
  /** The number of rows that the import adds. A dry run compares them with the quotas. */
  readonly added = { channels: 0, categories: 0, roles: 0 };

  constructor(target: Target, people: People) {
    this.#target = target;
    this.#people = people;
  }

  find(id: string): Place | undefined {
    return this.#places.get(id);
  }

  /** The ids of the channels to which rows were or may have been added. */
  get ids(): string[] {
    return [...this.#places.values()].map(({ id }) => id);
  }

  async channel(row: ChannelRow): Promise<void> {
    const memberIds = [...new Set(row.memberIds.flatMap((id) => this.#people.find(id)?.id ?? []))];
    await this.#add(
      'channels',
      row.id,
      (reads) => this.#decideChannel(reads, row),
      async (tx, { place }) => {
        const roleIds = row.private ? [await this.#addRole(tx, row, place.name, memberIds)] : [];
        const categoryId =
          row.category === null ? null : await this.#category(tx, row.category, row.createdAt);
        await this.#insert(tx, row, {
          ...{ kind: 'channel' as const, name: place.name, nameKey: nameKey(place.name), memberIds: null },
          ...{ description: row.description && cleanText(row.description).slice(0, MAX_DESCRIPTION) },
          ...{ private: row.private, readonly: row.readonly, categoryId, roleIds },
          position: await this.#nextPosition(tx),
        });
      },
    );
  }

  async conversation(row: ConversationRow): Promise<void> {
    const { tally } = this.#target;
    const memberIds = [...new Set(row.memberIds.flatMap((id) => this.#people.find(id)?.id ?? []))].sort();
    if (memberIds.length < 2) return tally.lost('conversations', 'has fewer than two members');
    if (memberIds.length > MAX_MEMBERS) return this.#large(row);
    const key = conversationKey(memberIds);
    const serverId = this.#target.server.id;
    const decide = async (reads: Reads): Promise<Decision> => {
      const known =
        (await reads.first(find('channel', { serverId, nameKey: key }))) ??
        (await reads.first(find('channel', { id: row.id })));
      const isImported = !known || known.id === row.id;
      const place = { id: known?.id ?? row.id, name: '', isDirect: true, isImported };
      return { place, outcome: known || this.#keys.has(key) ? 'present' : 'new' };
    };
    await this.#add('conversations', row.id, decide, async (tx, { place }) => {
      await this.#insert(tx, row, {
        ...{ kind: 'dm' as const, nameKey: key, description: null, memberIds, roleIds: [], position: 0 },
        ...{ name: row.name === null ? '' : cleanName(row.name, MAX_NAME_CHARACTERS) },
        ...{ private: true, readonly: false, categoryId: null },
      });
      for (const userId of memberIds)
        await tx.run(insert('channelMember', { channelId: place.id, userId, serverId, latestId: place.id }));
    });
    this.#keys.add(key);
  }

  /** Adds a conversation with too many people for a direct message as a private channel. */
  async #large(row: ConversationRow): Promise<void> {
    const { tally } = this.#target;
    const before = tally.countsOf('channels');
    const written = before.written;
    const names = row.memberIds.slice(0, 3).flatMap((id) => this.#people.find(id)?.username ?? []);
    await this.channel({
      ...{ row: 'channel', id: row.id, createdAt: row.createdAt, creatorId: row.creatorId },
      ...{ name: row.name ?? names.join('-'), description: null, category: null },
      ...{ private: true, memberIds: row.memberIds, readonly: false },
    });
    const isNew = tally.countsOf('channels').written > written;
    tally.move('channels', 'conversations', isNew ? 'written' : 'present');
    tally.note('conversations', `has more than ${MAX_MEMBERS} members and becomes a private channel`);
  }

  async #add(
    kind: 'channels' | 'conversations',
    id: string,
    decide: (reads: Reads) => Promise<Decision>,
    apply: (tx: Tx, decision: Decision) => Promise<void>,
  ): Promise<void> {
    const { tally } = this.#target;
    const decision = await applied(this.#target, decide, async (tx, planned) => {
      if (planned.outcome === 'new') await apply(tx, planned);
    });
    const { place, outcome, note } = decision;
    this.#places.set(id, place);
    if (!place.isDirect) this.#keys.add(nameKey(place.name));
    if (outcome === 'new') tally.written(kind);
    else tally.present(kind);
    if (note !== undefined) tally.note(kind, note);
  }

  async #decideChannel(reads: Reads, row: ChannelRow): Promise<Decision> {
    const { server, tally: _ } = this.#target;
    const known = await reads.first(find('channel', { id: row.id }));
    if (known && known.serverId === server.id)
      return {
        place: { id: known.id, name: known.name, isDirect: false, isImported: true },
        outcome: 'present',
      };
    const wanted = cleanName(row.name, MAX_NAME_CHARACTERS) || 'channel';
    for (let number = 1; number < MAX_SUFFIX; number++) {
      const name =
        number === 1 ? wanted : `${[...wanted].slice(0, MAX_NAME_CHARACTERS - 5).join('')}-${number}`;
      const key = nameKey(name);
      const same = await reads.first(find('channel', { serverId: server.id, nameKey: key }));
      if (same && !same.private && !row.private && !this.#isTaken(same.id))
        return {
          place: { id: same.id, name: same.name, isDirect: false, isImported: false },
          outcome: 'present',
          note: 'has the same name as an existing channel, so its messages are added there',
        };
      if (same || this.#keys.has(key)) continue;
      this.#countAdded(row);
      const place = { id: row.id, name, isDirect: false, isImported: true };
      return {
        place,
        outcome: 'new',
        ...(number > 1 && { note: 'got another name, because its name is taken' }),
      };
    }
    throw new Error(`no channel name like ${wanted} is free`);
  }

  /** Whether another channel of the archive is already mapped to this one. */
  #isTaken(id: string): boolean {
    for (const place of this.#places.values()) if (place.id === id) return true;
    return false;
  }

  #countAdded(row: ChannelRow): void {
    this.added.channels++;
    if (row.private) this.added.roles++;
    if (row.category === null || this.#categories.has(row.category)) return;
    this.#categories.add(row.category);
    this.added.categories++;
  }

  async #insert(
    tx: Tx,
    row: ChannelRow | ConversationRow,
    fields: Omit<
      Parameters<typeof insert<'channel'>>[1],
      'id' | 'createdAt' | 'updatedAt' | 'serverId' | 'creatorId'
    >,
  ): Promise<void> {
    const { server, latest } = this.#target;
    const at = Math.min(row.createdAt, latest);
    const creatorId = (row.creatorId && this.#people.find(row.creatorId)?.id) || server.creatorId;
    await tx.run(
      insert('channel', {
        ...{ id: row.id, createdAt: at, updatedAt: at, serverId: server.id, creatorId, image: null },
        ...fields,
      } as Parameters<typeof insert<'channel'>>[1]),
    );
  }

  /** Adds a role without permissions whose members can see a private channel. */
  async #addRole(tx: Tx, row: ChannelRow, name: string, memberIds: readonly string[]): Promise<string> {
    const { server, source, latest, services } = this.#target;
    const serverId = server.id;
    const at = Math.min(row.createdAt, latest);
    const id = idsFor(serverId, source)('channel', `role of ${row.id}`, at);
    await tx.run(
      insert('role', {
        ...{
          id,
          createdAt: at,
          updatedAt: at,
          serverId,
          name: cleanName(`#${name}`, MAX_NAME_CHARACTERS),
          color: null,
        },
        ...{ mentionable: false, isDefault: false, isCreatorRole: false, ...flagColumns([]) },
      }),
    );
    const members = new Set(
      (await tx.all(q.selectFrom('serverMember').select('userId').where('serverId', '=', serverId))).map(
        ({ userId }) => userId,
      ),
    );
    for (const userId of memberIds)
      if (members.has(userId))
        await tx.run(
          insert('userRole', { ...newRow(services.deps, tx.time()), serverId, userId, roleId: id }),
        );
    return id;
  }

  async #category(tx: Tx, given: string, createdAt: number): Promise<string> {
    const { server, source, latest } = this.#target;
    const serverId = server.id;
    const name = cleanName(given, MAX_NAME_CHARACTERS) || 'channels';
    const known = await tx.first(find('category', { serverId, name }));
    if (known) return known.id;
    const last = await tx.first(
      q
        .selectFrom('category')
        .select((eb) => eb.fn.max<number | null>('position').as('position'))
        .where('serverId', '=', serverId),
    );
    const at = Math.min(createdAt, latest);
    const id = idsFor(serverId, source)('channel', `category ${name}`, at);
    const position = Number(last?.position ?? -1) + 1;
    await tx.run(
      insert('category', {
        id,
        createdAt: at,
        updatedAt: at,
        serverId,
        name,
        position,
        creatorId: server.creatorId,
      }),
    );
    return id;
  }

  async #nextPosition(tx: Tx): Promise<number> {
    const last = await tx.first(
      q
        .selectFrom('channel')
        .select((eb) => eb.fn.max<number | null>('position').as('position'))
        .where('serverId', '=', this.#target.server.id)
        .where('kind', '=', 'channel'),
    );
    return Number(last?.position ?? -1) + 1;
  }
}

import type { Reads, Tx } from '../db/contract.ts';
import { insert } from '../db/statements.ts';
import { idAfter } from '../lib/deps.ts';
import { canonicalEmoji } from '../lib/emoji.ts';
import { MAX_EMOJI, MAX_EMOJI_CHARACTERS } from '../resources/reaction.ts';
import { type Composed, composed } from './composed.ts';
import type { ImportedFiles, Stored } from './files.ts';
import { countMessages } from './finish.ts';
import { knownMessages } from './known.ts';
import type { Imported, People } from './people.ts';
import type { Place, Places } from './places.ts';
import { ArchiveRefused, idsFor, type MessageRow, type Reaction } from './row.ts';
import { applied, type Target } from './target.ts';
import type { Threads } from './threads.ts';

const EARLIEST = Date.UTC(1990, 0, 1);
const AHEAD_MS = 24 * 60 * 60_000;

/** A message that can be written. */
interface Ready {
  row: MessageRow;
  place: Place;
  author: Imported | undefined;
  content: Composed;
}

/** The context that is needed to write the messages of an import. */
export interface Around {
  target: Target;
  people: People;
  places: Places;
  threads: Threads;
  files: ImportedFiles;
}

/** Writes messages with their files, reactions and pins, one batch per transaction. */
export class Messages {
  readonly #around: Around;
  /** The greatest id in each channel, of the messages that were written or already present. */
  readonly greatest = new Map<string, string>();

  constructor(around: Around) {
    this.#around = around;
  }

  async write(rows: readonly MessageRow[]): Promise<void> {
    const { target } = this.#around;
    const ready = rows.flatMap((row) => this.#ready(row) ?? []);
    if (ready.length === 0) return;
    const { read } = target.services.db;
    // Known messages are queried again in the transaction, because another import may add messages while the
    // files are being stored.
    const known = await this.#known(read, ready);
    const fresh = ready.filter(({ row }) => !known.has(row.id));
    const stored = target.isDry
      ? await this.#around.files.unfetchable(fresh.flatMap(({ content }) => content.files))
      : await this.#store(fresh);
    const older = ready.flatMap(({ row, content }) => (known.get(row.id) === 'present' ? content.files : []));
    await this.#around.files.addMissing(stored, older);
    const written = await applied(
      target,
      async (reads) => (reads === read ? known : this.#known(reads, ready)),
      async (tx, there) => {
        const counts = new Map<string, { replies: number; last: number }>();
        const added = ready.filter(({ row }) => !there.has(row.id));
        for (const one of added) await this.#insert(tx, one, stored, counts);
        await this.#around.threads.count(tx, counts);
        if (added.length > 0)
          await tx.run(countMessages({ serverId: target.server.id, messages: added.length }));
      },
    );
    for (const one of ready) this.#count(one, written.get(one.row.id), stored);
  }

  /** Returns the message with its channel and author; undefined if it is lost. */
  #ready(row: MessageRow): Ready | undefined {
    const { target, people, places, threads } = this.#around;
    if (
      row.createdAt < EARLIEST ||
      row.createdAt > target.latest + AHEAD_MS ||
      !Number.isFinite(row.createdAt)
    )
      throw new ArchiveRefused(
        `a message in the archive has an impossible time: ${new Date(row.createdAt || 0).toISOString()}`,
      );
    const place = places.find(row.channelId);
    const author = row.creatorId === null ? undefined : people.find(row.creatorId);
    const content = composed(this.#around, row);
    const reason = !place
      ? 'its channel is not in the archive, or was not imported'
      : !author && !row.isSystem
        ? 'its author is not in the archive'
        : row.threadId !== null && !threads.has(row.threadId)
          ? 'its thread is not in the archive'
          : content.parts.length === 0
            ? 'has neither text nor files'
            : undefined;
    if (reason === undefined && place) return { row, place, author, content };
    this.#lose(row, reason as string);
    return undefined;
  }

  #lose(row: MessageRow, reason: string): void {
    const { tally } = this.#around.target;
    tally.lost('messages', reason);
    if (isReply(row)) tally.lost('replies', reason);
    const with_ = 'its message was not imported';
    const reactions = row.reactions.reduce((sum, { count }) => sum + count, 0);
    if (reactions > 0) tally.lost('reactions', with_, reactions);
    if (row.pin) tally.lost('pins', with_);
    if (row.files.length > 0) tally.lost('files', with_, row.files.length);
  }

  async #known(reads: Reads, ready: readonly Ready[]): Promise<Map<string, 'present' | 'taken'>> {
    const { server } = this.#around.target;
    const found = await reads.all(
      knownMessages(
        reads.dialect,
        ready.map(({ row }) => ({ id: row.id })),
      ),
    );
    return new Map(found.map(({ id, serverId }) => [id, serverId === server.id ? 'present' : 'taken']));
  }

  /** Stores the files of new messages, before the transaction that adds them. */
  async #store(ready: readonly Ready[]): Promise<Map<string, Stored>> {
    const { files } = this.#around;
    const stored = new Map<string, Stored>();
    for (const { content } of ready)
      for (const file of content.files) stored.set(file.id, await files.store(file.id, file.name, file));
    return stored;
  }

  async #insert(
    tx: Tx,
    { row, place, author, content }: Ready,
    stored: ReadonlyMap<string, Stored>,
    counts: Map<string, { replies: number; last: number }>,
  ): Promise<void> {
    const { target, files } = this.#around;
    const { server, latest } = target;
    const createdAt = Math.min(row.createdAt, latest);
    const editedAt = row.editedAt === null ? null : Math.min(Math.max(row.editedAt, createdAt), latest);
    const creatorId = author?.id ?? server.creatorId;
    const attachments: object[][] = content.parts.map(() => []);
    let parts = content.parts;
    for (const file of content.files) {
      const found = stored.get(file.id);
      if (!found) continue;
      if (!('file' in found)) parts = content.without(file, found.reason, parts);
      else {
        const messageId = idOfPart(row.id, file.part);
        const of = { createdAt: file.createdAt ?? createdAt, channelId: place.id, messageId };
        const owner = (file.creatorId && this.#around.people.find(file.creatorId)?.id) || creatorId;
        attachments[file.part]?.push(await files.attach(tx, found, { ...of, creatorId: owner }));
      }
    }
    for (const [part, text] of parts.entries()) {
      const id = idOfPart(row.id, part);
      const isFirst = part === 0;
      const own = attachments[part] as object[];
      const reactions = isFirst ? await this.#react(tx, row, place, createdAt) : [];
      await tx.run(
        insert('message', {
          ...{ id, createdAt, updatedAt: editedAt ?? createdAt, serverId: server.id },
          type: row.isSystem ? 'system' : (author as Imported).type,
          ...{ channelId: place.id, isThreadReply: row.threadId !== null, creatorId, content: text },
          ...{ deleted: false, editedAt, threadId: row.threadId, replyToId: isFirst ? row.replyToId : null },
          ...{ pinned: isFirst && row.pin !== null, reactions },
          ...(own.length > 0 && { attachments: own }),
        }),
      );
      if (isFirst && row.pin) await this.#pin(tx, row, place, creatorId);
    }
    this.#note(place.id, row.id);
    if (row.threadId === null) return;
    const { replies, last } = counts.get(row.threadId) ?? { replies: 0, last: 0 };
    counts.set(row.threadId, { replies: replies + parts.length, last: Math.max(last, createdAt) });
  }

  #note(channelId: string, id: string): void {
    if (id > (this.greatest.get(channelId) ?? '')) this.greatest.set(channelId, id);
  }

  async #pin(tx: Tx, row: MessageRow, place: Place, authorId: string): Promise<void> {
    const { target, people } = this.#around;
    const { id, createdAt = row.createdAt, creatorId } = row.pin as NonNullable<MessageRow['pin']>;
    const at = Math.min(createdAt, target.latest);
    await tx.run(
      insert('pin', {
        id: id ?? idsFor(target.server.id, target.source)('pin', row.id, at),
        ...{
          createdAt: at,
          updatedAt: at,
          serverId: target.server.id,
          channelId: place.id,
          messageId: row.id,
        },
        creatorId: (creatorId && people.find(creatorId)?.id) || authorId,
      }),
    );
  }

  /** Inserts the reactions of known users. Returns the counts of all reactions, as shown in the message. */
  async #react(
    tx: Tx,
    row: MessageRow,
    place: Place,
    at: number,
  ): Promise<{ emoji: string; count: number }[]> {
    const { target } = this.#around;
    const { kept, counts } = this.#reactionsOf(row);
    for (const { emoji, userId, id, createdAt = at } of kept) {
      const time = Math.min(createdAt, target.latest);
      await tx.run(
        insert('reaction', {
          id: id ?? idsFor(target.server.id, target.source)('reaction', `${row.id} ${userId} ${emoji}`, time),
          ...{ createdAt: time, updatedAt: time, serverId: target.server.id, channelId: place.id },
          ...{ messageId: row.id, userId, emoji },
        }),
      );
    }
    return [...counts].map(([emoji, count]) => ({ emoji, count }));
  }

  /** Returns a message's reactions from known users, and the counts of all reactions. */
  #reactionsOf({ reactions }: MessageRow) {
    const kept: (Reaction & { userId: string })[] = [];
    const counts = new Map<string, number>();
    const named = new Set<string>();
    const lost = { repeated: 0, tooMany: 0, invalid: 0, unnamed: 0 };
    for (const reaction of reactions) {
      const emoji = canonicalEmoji(reaction.emoji);
      const isValid = emoji !== '' && [...emoji].length <= MAX_EMOJI_CHARACTERS && !emoji.includes('\0');
      const userId = reaction.userId === null ? undefined : this.#around.people.find(reaction.userId)?.id;
      const key = `${userId} ${emoji}`;
      if (!isValid || !(reaction.count > 0)) lost.invalid += Math.max(0, reaction.count);
      else if (!counts.has(emoji) && counts.size >= MAX_EMOJI) lost.tooMany += reaction.count;
      else if (userId !== undefined && named.has(key)) lost.repeated += reaction.count;
      else {
        counts.set(emoji, (counts.get(emoji) ?? 0) + reaction.count);
        if (userId === undefined) lost.unnamed += reaction.count;
        else {
          named.add(key);
          kept.push({ ...reaction, emoji, userId });
        }
      }
    }
    return { kept, counts, lost };
  }

  #count(
    { row, place, content }: Ready,
    known: 'present' | 'taken' | undefined,
    stored: ReadonlyMap<string, Stored>,
  ): void {
    const { target, files } = this.#around;
    const { tally, isDry } = target;
    if (known === 'taken') {
      this.#lose(row, 'its id belongs to a message of another server');
      return;
    }
    const outcome = known ?? 'written';
    tally[outcome]('messages');
    if (isReply(row)) tally[outcome]('replies');
    if (content.note !== undefined) tally.note('messages', content.note);
    if (row.pin) tally[outcome]('pins');
    const { counts, lost } = this.#reactionsOf(row);
    const count = [...counts.values()].reduce((sum, one) => sum + one, 0);
    if (count > 0) tally[outcome]('reactions', count);
    if (lost.unnamed > 0)
      tally.note('reactions', 'has no user in the archive, so only its number is kept', lost.unnamed);
    if (lost.tooMany > 0)
      tally.lost('reactions', `its message has more than ${MAX_EMOJI} different emoji`, lost.tooMany);
    if (lost.repeated > 0) tally.lost('reactions', 'is in the archive more than once', lost.repeated);
    if (lost.invalid > 0) tally.lost('reactions', 'has an emoji that is not valid here', lost.invalid);
    for (const file of content.files) {
      if (file.text !== undefined) continue;
      const found = stored.get(file.id);
      if (found && !('file' in found)) tally.lost('files', found.reason);
      else if (known === 'present') tally.present('files');
      else tally.written('files');
      if (isDry && known === undefined && !found) files.plan(file);
    }
    for (const reason of content.refused) tally.lost('files', reason);
    if (known === 'present') this.#note(place.id, row.id);
  }
}

const isReply = ({ threadId, replyToId }: MessageRow): boolean => threadId !== null || replyToId !== null;

/** Returns the id of a part. The ids of later parts directly follow that of the first. */
function idOfPart(id: string, part: number): string {
  let own = id;
  for (let count = 0; count < part; count++) own = idAfter(own);
  return own;
}

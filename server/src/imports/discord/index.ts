import { conversationsOf } from '../reading/conversations.ts';
import { customNameOf, reactionOf } from '../reading/emoji.ts';
import {
  anyTimeOf,
  countOf,
  firstTextOf,
  type Loose,
  Losses,
  listOf,
  sourceIdOf,
  textOf,
} from '../reading/loose.ts';
import {
  type Archive,
  channelMentionOf,
  type Ids,
  type ImportRow,
  type MessageRow,
  mentionOf,
  messageLinkOf,
  type Reaction,
  type ReadArchive,
} from '../row.ts';
import { Seen } from '../seen.ts';
import { filesOf, placeOf } from './files.ts';
import {
  type ExportFile,
  messagesAt,
  type Survey,
  surveyOf,
  timeOfMessage,
  timeOfSnowflake,
} from './survey.ts';
import { type DiscordNames, textOfMessage } from './text.ts';
import { isReplyType, isWritten, omissionOf } from './types.ts';

/**
 * Reads the JSON files of DiscordChatExporter, one or more per channel or thread. Makes two passes, because
 * rows refer to people and messages that may come later.
 */
const readDiscord: ReadArchive = rowsOf;
export default readDiscord;

async function* rowsOf(archive: Archive, ids: Ids): AsyncGenerator<ImportRow> {
  const survey = await surveyOf(archive);
  const reader = new DiscordReader(archive, ids, survey);
  yield* reader.placeRows();
  // Threads are read last, because they must come after their root messages.
  const isThread = ({ channel }: ExportFile) => threadTypes.test(textOf(channel.type));
  for (const file of survey.files.filter((each) => !isThread(each))) yield* reader.messageRows(file);
  for (const file of survey.files.filter(isThread)) yield* reader.messageRows(file);
  yield* reader.losses.rows();
}

const threadTypes = /^Guild(?:Public|News)Thread$/;

/** The destination of the messages in a channel or thread. */
interface Place {
  channelId: string;
  thread: (ImportRow & { row: 'thread' }) | null;
}

class DiscordReader {
  readonly losses = new Losses();
  readonly #archive: Archive;
  readonly #ids: Ids;
  readonly #survey: Survey;
  readonly #names: DiscordNames;
  readonly #places = new Map<string, Place>();
  /** The ids of channels by name; null for an ambiguous name. */
  readonly #byName = new Map<string, string | null>();
  readonly #messages = new Seen();
  readonly #lost = new Seen();

  constructor(archive: Archive, ids: Ids, survey: Survey) {
    this.#archive = archive;
    this.#ids = ids;
    this.#survey = survey;
    this.#names = {
      person: (id) => this.#personOf(id) && mentionOf(this.#personOf(id) as string),
      channel: (id) => this.#mentionOfChannel(this.#places.get(id)),
      channelNamed: (name) => this.#mentionOfChannel(this.#places.get(this.#byName.get(name) ?? '')),
      link: (channel, message) => {
        const place = this.#places.get(channel);
        return place && messageLinkOf(place.channelId, this.#messageId(message));
      },
    };
  }

  #mentionOfChannel(place: Place | undefined): string | undefined {
    return place && !place.thread ? channelMentionOf(place.channelId) : undefined;
  }

  #personOf(id: string): string | undefined {
    return this.#survey.people.has(id) ? this.#ids('person', id, 0) : undefined;
  }

  #messageId(id: string): string {
    return this.#ids('message', id, this.#survey.times.get(id) ?? timeOfSnowflake(id));
  }

  /** Yields the people, emoji, channels and conversations. */
  *placeRows(): Generator<ImportRow> {
    for (const [id, person] of this.#survey.people)
      yield {
        row: 'person',
        id: this.#ids('person', id, 0),
        createdAt: 0,
        username: firstTextOf(person.name, person.nickname, id),
        name: firstTextOf(person.nickname, person.name, id),
        type: person.isBot === true ? 'agent' : 'person',
        isMember: true,
      };
    yield* this.#emojiRows();
    const conversations = conversationsOf(this.#ids, this.losses);
    for (const { channel } of this.#survey.files.filter(
      (file) => !threadTypes.test(textOf(file.channel.type)),
    )) {
      const id = sourceIdOf(channel.id);
      if (this.#places.has(id)) continue;
      const row = /^Direct/.test(textOf(channel.type))
        ? conversations({
            sourceId: id,
            createdAt: timeOfSnowflake(id),
            name: null,
            memberIds: this.#authorsIn(id),
            creatorId: null,
          })
        : this.#channelRow(id, channel);
      if (row === undefined) continue;
      this.#places.set(id, { channelId: row.id, thread: null });
      if (row.row === 'channel') this.#byName.set(row.name, this.#byName.has(row.name) ? null : id);
      yield row;
    }
    for (const { channel } of this.#survey.files) yield* this.#threadPlace(channel);
  }

  *#emojiRows(): Generator<ImportRow> {
    const names = new Set<string>();
    for (const [id, { name, imageUrl }] of this.#survey.emoji) {
      const own = customNameOf(textOf(name));
      if (own === '' || names.has(own)) {
        this.losses.add('emoji', own === '' ? 'has no name' : 'has the same name as another one');
        continue;
      }
      names.add(own);
      const place = placeOf(textOf(imageUrl), this.#survey.files[0]?.path ?? '', this.#archive);
      yield {
        row: 'emoji',
        id: this.#ids('emoji', id, timeOfSnowflake(id)),
        createdAt: timeOfSnowflake(id),
        name: own,
        ...place,
        creatorId: null,
      };
    }
  }

  #authorsIn(channel: string): string[] {
    return [...(this.#survey.authors.get(channel) ?? [])].flatMap((author) => this.#personOf(author) ?? []);
  }

  #channelRow(id: string, channel: Loose): ImportRow & { row: 'channel' } {
    const isPrivate = textOf(channel.type) === 'GuildPrivateThread';
    if (!isPrivate)
      this.losses.add(
        'channels',
        'is visible to all members, because Discord exports contain no permissions',
        1,
        true,
      );
    const createdAt = timeOfSnowflake(id);
    return {
      row: 'channel',
      id: this.#ids('channel', id, createdAt),
      createdAt,
      name: firstTextOf(channel.name, id),
      description: firstTextOf(channel.topic) || null,
      category: firstTextOf(channel.category) || null,
      private: isPrivate,
      memberIds: isPrivate ? this.#authorsIn(id) : [],
      readonly: false,
      creatorId: null,
    };
  }

  /**
   * Records the destination of a thread. Yields the thread's channel if the archive has no file for that
   * channel.
   */
  *#threadPlace(channel: Loose): Generator<ImportRow> {
    const id = sourceIdOf(channel.id);
    if (this.#places.has(id) || !threadTypes.test(textOf(channel.type))) return;
    const parent = sourceIdOf(channel.categoryId) || `parent of ${id}`;
    if (!this.#places.has(parent)) {
      const row = this.#channelRow(parent, { name: firstTextOf(channel.category, 'threads') });
      this.#places.set(parent, { channelId: row.id, thread: null });
      yield row;
    }
    const { channelId } = this.#places.get(parent) as Place;
    const createdAt = timeOfSnowflake(id);
    const thread = {
      row: 'thread',
      id: this.#ids('thread', id, createdAt),
      createdAt,
      channelId,
      messageId: this.#messageId(this.#survey.starters.get(id) ?? id),
      name: firstTextOf(channel.name) || null,
      creatorId: null,
      locked: false,
    } as const;
    this.#places.set(id, { channelId, thread });
  }

  async *messageRows({ path, channel }: ExportFile): AsyncGenerator<ImportRow> {
    const place = this.#places.get(sourceIdOf(channel.id));
    if (place?.thread) yield this.#threadRow(place.thread);
    for await (const message of messagesAt(this.#archive, path)) {
      const isOmitted = omissionOf(message) !== undefined;
      const row = isOmitted ? undefined : place && this.#messageRow(message, place, path);
      if (row) {
        this.#messages.add(row.id);
        yield row;
      } else this.#lose(message, place, path);
    }
  }

  /** Counts a message that is not imported: only once, even if several exports of the channel contain it. */
  #lose(message: Loose, place: Place | undefined, path: string): void {
    const id = this.#messageId(sourceIdOf(message.id));
    if (this.#messages.has(id) || !this.#lost.add(id)) return;
    const omission = omissionOf(message);
    const reason = place
      ? 'has no author, or no text and no file'
      : 'is in a conversation with fewer than two members';
    const reactions = listOf(message.reactions).map(({ count, users }) =>
      Math.max(countOf(count), listOf(users).length),
    );
    const attached = {
      isReply: place?.thread != null || isReplyType(message),
      reactions: reactions.reduce((sum, count) => sum + count, 0),
      files: filesOf(message, path, this.#archive, this.#ids).length,
      pins: message.isPinned === true ? 1 : 0,
    };
    this.losses.addMessage(omission ?? reason, attached, omission !== undefined);
  }

  #threadRow(thread: ImportRow & { row: 'thread' }): ImportRow {
    const isHeld = thread.messageId !== null && this.#messages.has(thread.messageId);
    return isHeld ? thread : { ...thread, messageId: null };
  }

  #messageRow(message: Loose, { channelId, thread }: Place, path: string): MessageRow | undefined {
    const author = this.#personOf(sourceIdOf(message.author?.id));
    const files = filesOf(message, path, this.#archive, this.#ids);
    const text = textOfMessage(message, this.#names);
    if (author === undefined || (text === '' && files.length === 0)) return undefined;
    const isSystem = !isWritten(message);
    const { reference } = message;
    const isReply = sourceIdOf(reference?.messageId) !== '' && !isSystem && !message.forwardedMessage;
    const isHere =
      sourceIdOf(reference?.channelId) === '' ||
      this.#places.get(sourceIdOf(reference.channelId))?.channelId === channelId;
    return {
      row: 'message',
      id: this.#messageId(sourceIdOf(message.id)),
      createdAt: timeOfMessage(message),
      editedAt: anyTimeOf(Date.parse(textOf(message.timestampEdited))) || null,
      channelId,
      creatorId: isSystem ? null : author,
      isSystem,
      content: isSystem ? `${mentionOf(author)}: ${text}` : text,
      threadId: thread?.id ?? null,
      replyToId: isReply && isHere ? this.#messageId(sourceIdOf(reference.messageId)) : null,
      files,
      reactions: listOf(message.reactions).flatMap((reaction) => this.#reactionsOf(reaction)),
      pin: message.isPinned === true ? {} : null,
    };
  }

  /** Returns the reactions with one emoji. Older exports contain no users, only the count. */
  #reactionsOf({ emoji: found, users, count: stated }: Loose): Reaction[] {
    const name = textOf(found?.name);
    const custom = customNameOf(name);
    const isCustom = sourceIdOf(found?.id) !== '';
    const emoji = isCustom ? custom && `:${custom}:` : reactionOf(name);
    const known = [...new Set(listOf(users).flatMap((user) => this.#personOf(sourceIdOf(user?.id)) ?? []))];
    const count = Math.max(countOf(stated), known.length);
    if (!emoji) {
      this.losses.add('reactions', 'has no name', count);
      return [];
    }
    const others = count - known.length;
    return [
      ...known.map((userId) => ({ emoji, userId, count: 1 })),
      ...(others > 0 ? [{ emoji, userId: null, count: others }] : []),
    ];
  }
}

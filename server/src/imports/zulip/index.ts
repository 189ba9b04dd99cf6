import { conversationsOf } from '../reading/conversations.ts';
import { customNameOf, reactionNamed, reactionOf } from '../reading/emoji.ts';
import { anyTimeOf, firstTextOf, type Loose, Losses, sourceIdOf, textOf, timeOf } from '../reading/loose.ts';
import {
  type Archive,
  channelMentionOf,
  type Ids,
  type ImportRow,
  type MessageRow,
  mentionOf,
  type Reaction,
  type ReadArchive,
} from '../row.ts';
import { messagesOf, readTables, type Zulip } from './tables.ts';
import { textOfMessage } from './text.ts';

/**
 * Reads a Zulip export: a folder or tar.gz with `realm.json`, files of messages, and uploads. Topics become
 * threads of that name. Makes two passes over the messages, because conversations and active system bots are
 * only known after the first. Keeps all reactions in memory, because they are in a separate file.
 */
const readZulip: ReadArchive = rowsOf;
export default readZulip;

async function* rowsOf(archive: Archive, ids: Ids): AsyncGenerator<ImportRow> {
  const reader = new ZulipReader(archive, ids, await readTables(archive));
  yield* await reader.placeRows();
  yield* reader.messageRows();
  yield* reader.losses.rows();
}

class ZulipReader {
  readonly losses = new Losses();
  readonly #archive: Archive;
  readonly #ids: Ids;
  readonly #zulip: Zulip;
  /** The channels and conversations by `#keyOf` of their messages. */
  readonly #places = new Map<string, string>();
  /** The ids of people by name; empty for an ambiguous name. */
  readonly #byName = new Map<string, string>();
  readonly #channelsByName = new Map<string, string>();
  readonly #threads = new Map<string, string>();

  constructor(archive: Archive, ids: Ids, zulip: Zulip) {
    this.#archive = archive;
    this.#ids = ids;
    this.#zulip = zulip;
  }

  /** Returns the key of a message's destination: its recipient, plus the author for messages to a person. */
  #keyOf(message: Loose): string {
    const recipient = this.#zulip.recipients.get(sourceIdOf(message.recipient));
    if (recipient?.kind !== 'person')
      return recipient ? `${recipient.kind} ${sourceIdOf(message.recipient)}` : '';
    return `people ${[sourceIdOf(message.sender), recipient.id].sort().join()}`;
  }

  #personOf(id: string): string | undefined {
    return this.#zulip.users.has(id) ? this.#ids('person', id, 0) : undefined;
  }

  /** Returns the rows for people, emoji, channels and conversations. */
  async placeRows(): Promise<ImportRow[]> {
    const senders = new Set<string>();
    const keys = new Map<string, number>();
    for await (const message of messagesOf(this.#archive, this.#zulip)) {
      senders.add(sourceIdOf(message.sender));
      const key = this.#keyOf(message);
      if (!keys.has(key)) keys.set(key, timeOf(message.date_sent, 1_000));
    }
    return [
      ...this.#personRows(senders),
      ...this.#emojiRows(),
      ...this.#channelRows(),
      ...this.#conversationRows(keys),
    ];
  }

  *#personRows(senders: ReadonlySet<string>): Generator<ImportRow> {
    for (const [id, user] of this.#zulip.users) {
      // Every export contains the system bots.
      if (!user.isOfRealm && !senders.has(id)) continue;
      const email = firstTextOf(user.delivery_email, user.email);
      const name = firstTextOf(user.full_name, email, id);
      const isMember = user.is_active !== false && user.isOfRealm && user.is_mirror_dummy !== true;
      this.#byName.set(name, this.#byName.has(name) ? '' : id);
      yield {
        row: 'person',
        id: this.#ids('person', id, 0),
        createdAt: anyTimeOf(user.date_joined, 1_000),
        username: firstTextOf(email.split('@')[0], name),
        name,
        type: user.is_bot === true ? 'agent' : 'person',
        ...(user.is_bot !== true && email !== '' ? { email } : {}),
        isMember,
      };
    }
  }

  *#emojiRows(): Generator<ImportRow> {
    const folder = `${this.#zulip.root}emoji/`;
    const paths = new Map(
      this.#archive.paths
        .filter((path) => path.startsWith(folder))
        .map((path) => [path.slice(path.lastIndexOf('/') + 1), path]),
    );
    for (const { name, id, file_name: file, deactivated, author } of this.#zulip.emoji.filter(Boolean)) {
      const own = customNameOf(textOf(name));
      if (deactivated === true || own === '') {
        this.losses.add('emoji', own === '' ? 'has no name' : 'is deactivated in Zulip', 1, own !== '');
        continue;
      }
      const path = paths.get(textOf(file)) ?? null;
      const creatorId = this.#personOf(sourceIdOf(author)) ?? null;
      yield {
        row: 'emoji',
        id: this.#ids('emoji', sourceIdOf(id), 0),
        createdAt: 0,
        name: own,
        path,
        url: null,
        creatorId,
      };
    }
  }

  *#channelRows(): Generator<ImportRow> {
    for (const [recipient, { kind, id }] of this.#zulip.recipients) {
      const channel = kind === 'channel' ? this.#zulip.channels.get(id) : undefined;
      if (channel === undefined) continue;
      const createdAt = anyTimeOf(channel.date_created, 1_000);
      const rowId = this.#ids('channel', id, createdAt);
      const members = this.#zulip.subscribers.get(recipient) ?? [];
      this.#places.set(`channel ${recipient}`, rowId);
      this.#channelsByName.set(textOf(channel.name), rowId);
      yield {
        row: 'channel',
        id: rowId,
        createdAt,
        name: firstTextOf(channel.name, id),
        description: firstTextOf(channel.description) || null,
        category: null,
        private: channel.invite_only === true,
        memberIds:
          channel.invite_only === true ? members.flatMap((member) => this.#personOf(member) ?? []) : [],
        readonly: channel.deactivated === true,
        creatorId: this.#personOf(sourceIdOf(channel.creator)) ?? null,
      };
    }
  }

  *#conversationRows(keys: ReadonlyMap<string, number>): Generator<ImportRow> {
    const conversations = conversationsOf(this.#ids, this.losses);
    for (const [key, createdAt] of keys) {
      const [kind, rest = ''] = key.split(' ');
      if (kind !== 'people' && kind !== 'group') continue;
      const members = kind === 'people' ? rest.split(',') : (this.#zulip.subscribers.get(rest) ?? []);
      const memberIds = members.flatMap((member) => this.#personOf(member) ?? []);
      const row = conversations({ sourceId: key, createdAt, name: null, memberIds, creatorId: null });
      if (row === undefined) continue;
      this.#places.set(key, row.id);
      yield row;
    }
  }

  async *messageRows(): AsyncGenerator<ImportRow> {
    for await (const message of messagesOf(this.#archive, this.#zulip)) {
      const key = this.#keyOf(message);
      const channelId = this.#places.get(key);
      const creatorId = this.#personOf(sourceIdOf(message.sender));
      if (channelId === undefined || creatorId === undefined) {
        this.#lose(message, channelId ? 'has no author' : 'is not in a channel, or is a message to oneself');
        continue;
      }
      const row = this.#messageRow(message, channelId, creatorId);
      if (row === undefined) continue;
      const topic = key.startsWith('channel ') ? textOf(message.subject) : '';
      const thread = topic === '' ? undefined : `${channelId} ${topic.toLowerCase()}`;
      if (thread !== undefined && !this.#threads.has(thread)) {
        const id = this.#ids('thread', thread, row.createdAt);
        this.#threads.set(thread, id);
        yield {
          row: 'thread',
          id,
          createdAt: row.createdAt,
          channelId,
          messageId: null,
          name: topic,
          creatorId,
          locked: false,
        };
      }
      yield { ...row, threadId: this.#threads.get(thread ?? '') ?? null };
    }
  }

  #messageRow(message: Loose, channelId: string, creatorId: string): MessageRow | undefined {
    const { text, uploads } = textOfMessage(message.content, {
      person: (name, id) => {
        const found = this.#personOf(id ?? this.#byName.get(name) ?? '');
        return found && mentionOf(found);
      },
      channel: (name) => {
        const found = this.#channelsByName.get(name);
        return found && channelMentionOf(found);
      },
    });
    const id = sourceIdOf(message.id);
    if (text === '' && uploads.length === 0) {
      this.#lose(message, 'has no text and no file');
      return undefined;
    }
    const createdAt = timeOf(message.date_sent, 1_000);
    return {
      row: 'message',
      id: this.#ids('message', id, createdAt),
      createdAt,
      editedAt: anyTimeOf(message.last_edit_time, 1_000) || null,
      channelId,
      creatorId,
      isSystem: false,
      content: text,
      threadId: null,
      replyToId: null,
      files: uploads.map((upload, index) => this.#fileRow(upload, `${id}:${index}`)),
      reactions: (this.#zulip.reactions.get(id) ?? []).flatMap((reaction) => this.#reactionOf(reaction)),
      pin: null,
    };
  }

  #lose(message: Loose, reason: string): void {
    const { uploads } = textOfMessage(message.content, { person: () => undefined, channel: () => undefined });
    this.losses.addMessage(reason, {
      isReply: this.#keyOf(message).startsWith('channel ') && textOf(message.subject) !== '',
      reactions: this.#zulip.reactions.get(sourceIdOf(message.id))?.length ?? 0,
      files: uploads.length,
    });
  }

  #fileRow(upload: string, sourceId: string): MessageRow['files'][number] {
    const path = `${this.#zulip.root}uploads/${upload}`.normalize('NFC');
    const name = upload.slice(upload.lastIndexOf('/') + 1) || 'file';
    return {
      id: this.#ids('file', sourceId, 0),
      name,
      path: this.#archive.has(path) ? path : null,
      url: null,
      bytes: this.#archive.sizeOf(path) ?? null,
    };
  }

  #reactionOf(reaction: Loose): Reaction[] {
    const code = /^[\da-f]{1,6}(?:-[\da-f]{1,6}){0,9}$/i.test(textOf(reaction.emoji_code))
      ? reaction.emoji_code
      : '';
    const points: number[] =
      reaction.reaction_type === 'unicode_emoji' && code !== ''
        ? code.split('-').map((hex: string) => Number.parseInt(hex, 16))
        : [];
    const isUnicode = points.length > 0 && points.every((point) => point <= 0x10ffff);
    const emoji = isUnicode
      ? reactionOf(String.fromCodePoint(...points))
      : reactionNamed(textOf(reaction.emoji_name));
    if (emoji === undefined) {
      this.losses.add('reactions', 'has no name');
      return [];
    }
    return [{ emoji, userId: this.#personOf(sourceIdOf(reaction.user_profile)) ?? null, count: 1 }];
  }
}

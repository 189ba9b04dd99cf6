import { conversationsOf } from '../reading/conversations.ts';
import { customNameOf, reactionNamed } from '../reading/emoji.ts';
import {
  type Attached,
  anyTimeOf,
  countOf,
  firstTextOf,
  JOIN_LINE,
  type Loose,
  Losses,
  listOf,
  sourceIdOf,
  textOf,
  timeOf,
} from '../reading/loose.ts';
import {
  type Archive,
  channelMentionOf,
  type FileRow,
  type Ids,
  type ImportRow,
  type MessageRow,
  mentionOf,
  type ReadArchive,
} from '../row.ts';
import { Seen } from '../seen.ts';
import { type Dump, documentsIn, isRemoved, readDump, timeIn } from './dump.ts';
import { textOfMessage } from './text.ts';

/**
 * Reads a dump of Rocket.Chat's collections, created by `mongodump` or `mongoexport`. Makes three passes over
 * the messages: first for deleted authors and the roots of threads, then for messages, then for replies.
 * Reads files from a folder, but not from GridFS.
 */
const readRocketChat: ReadArchive = rowsOf;
export default readRocketChat;

async function* rowsOf(archive: Archive, ids: Ids): AsyncGenerator<ImportRow> {
  const dump = await readDump(archive);
  const reader = new RocketChatReader(archive, ids, dump);
  yield* reader.placeRows();
  for (const isReply of [false, true])
    for await (const message of documentsIn(archive, dump.paths.messages))
      if ((sourceIdOf(message?.tmid) !== '') === isReply) yield* reader.messageRows(message);
  yield* reader.losses.rows();
}

const JOIN =
  /^(?:uj|ul|au|ru|ut|ujt|ult|wm|(?:added|removed)-user-.*|user-(?:added|removed)-.*|subscription-role-.*)$/;

/** Returns why a document is not counted as a message; undefined for messages. */
function omissionOf(message: Loose): string | undefined {
  if (sourceIdOf(message?._id) === '') return 'is not a message';
  if (message._hidden === true) return 'is an earlier version of a message';
  if (isRemoved(message)) return 'was deleted in Rocket.Chat';
  return JOIN.test(textOf(message.t)) ? JOIN_LINE : undefined;
}

/** Returns everything that is attached to a message. */
const attachedTo = (message: Loose): Attached => ({
  isReply: sourceIdOf(message?.tmid) !== '',
  reactions: Object.values<Loose>(message?.reactions ?? {}).reduce(
    (sum, found) => sum + listOf(found?.usernames).length,
    0,
  ),
  files: filesIn(message).length,
  pins: message?.pinned === true ? 1 : 0,
});

/**
 * Returns the files of a message without their previews, which are separate files. Old messages have one
 * `file` instead of a list.
 */
const filesIn = (message: Loose): Loose[] =>
  (listOf(message?.files).length > 0 ? listOf(message.files) : [message?.file]).filter(
    (file) => sourceIdOf(file?._id) !== '' && !textOf(file.name).startsWith('thumb-'),
  );

/** The texts of Rocket.Chat's own system messages. Others are shown with the name of their type. */
const lines: Readonly<Record<string, string>> = {
  r: 'renamed the channel to',
  room_changed_topic: 'changed the topic to',
  room_changed_description: 'changed the description to',
  room_changed_announcement: 'changed the announcement to',
  message_pinned: 'pinned a message',
  'discussion-created': 'started the discussion',
};

class RocketChatReader {
  readonly losses = new Losses();
  readonly #ids: Ids;
  readonly #dump: Dump;
  readonly #byUsername = new Map<string, string>();
  readonly #places = new Map<string, string>();
  readonly #channelsByName = new Map<string, string>();
  readonly #files = new Map<string, string>();
  readonly #messages = new Seen();
  readonly #threads = new Seen();

  constructor(archive: Archive, ids: Ids, dump: Dump) {
    this.#ids = ids;
    this.#dump = dump;
    for (const [id, user] of dump.users) this.#byUsername.set(textOf(user?.username), id);
    for (const path of archive.paths) this.#files.set(path.replace(/^.*\//, ''), path);
  }

  #personOf(id: string): string | undefined {
    return this.#dump.users.has(id) ? this.#ids('person', id, 0) : undefined;
  }

  #personNamed(username: string): string | undefined {
    return this.#personOf(this.#byUsername.get(username) ?? '');
  }

  /** Yields the people, emoji, channels and conversations. */
  *placeRows(): Generator<ImportRow> {
    for (const [id, user] of this.#dump.users) {
      const email = listOf(user.emails).find((each) => each?.verified === true)?.address;
      yield {
        row: 'person',
        id: this.#ids('person', id, 0),
        createdAt: anyTimeOf(timeIn(user.createdAt)),
        username: firstTextOf(user.username, user.name, id),
        name: firstTextOf(user.name, user.username, id),
        type: user.type === 'bot' || user.type === 'app' ? 'agent' : 'person',
        ...(textOf(email) === '' ? {} : { email }),
        isMember: !user.isUnknown && user.active !== false,
      };
    }
    for (const emoji of this.#dump.emoji) {
      const name = customNameOf(textOf(emoji?.name));
      const path = this.#files.get(`${textOf(emoji?.name)}.${textOf(emoji?.extension)}`) ?? null;
      if (name === '') this.losses.add('emoji', 'has no name');
      else
        yield {
          row: 'emoji',
          id: this.#ids('emoji', sourceIdOf(emoji._id), 0),
          createdAt: 0,
          name,
          path,
          url: null,
          creatorId: null,
        };
    }
    const conversations = conversationsOf(this.#ids, this.losses);
    for (const [id, room] of this.#dump.rooms) {
      const kind = textOf(room.t);
      const createdAt = anyTimeOf(timeIn(room.ts));
      const memberIds = this.#membersOf(id, room);
      if (kind !== 'c' && kind !== 'p' && kind !== 'd') {
        this.losses.add('channels', 'is a livechat');
        continue;
      }
      const row =
        kind === 'd'
          ? conversations({ sourceId: id, createdAt, name: null, memberIds, creatorId: null })
          : this.#channelRow(id, room, createdAt, memberIds);
      if (row === undefined) continue;
      this.#places.set(id, row.id);
      if (row.row === 'channel') this.#channelsByName.set(textOf(room.name), row.id);
      yield row;
    }
  }

  #membersOf(id: string, room: Loose): string[] {
    const byName = listOf(room.usernames).map((name) => this.#byUsername.get(textOf(name)) ?? '');
    const members = [...listOf(room.uids).map(sourceIdOf), ...byName, ...(this.#dump.members.get(id) ?? [])];
    return [...new Set(members)].flatMap((member) => this.#personOf(member) ?? []);
  }

  #channelRow(
    id: string,
    room: Loose,
    createdAt: number,
    memberIds: string[],
  ): ImportRow & { row: 'channel' } {
    return {
      row: 'channel',
      id: this.#ids('channel', id, createdAt),
      createdAt,
      name: firstTextOf(room.fname, room.name, id),
      description: firstTextOf(room.description, room.topic) || null,
      category: null,
      private: room.t === 'p',
      memberIds: room.t === 'p' ? memberIds : [],
      readonly: room.ro === true || room.archived === true,
      creatorId: this.#personOf(sourceIdOf(room.u?._id)) ?? null,
    };
  }

  *messageRows(message: Loose): Generator<ImportRow> {
    const omission = omissionOf(message);
    if (omission !== undefined) return this.losses.addMessage(omission, attachedTo(message), true);
    const channelId = this.#places.get(sourceIdOf(message.rid));
    const creatorId = this.#personOf(sourceIdOf(message.u?._id));
    if (channelId === undefined || creatorId === undefined || message.t === 'e2e') {
      const reason = channelId ? 'has no author' : 'is in a room that is not imported';
      return this.losses.addMessage(
        message.t === 'e2e' ? 'is encrypted end to end' : reason,
        attachedTo(message),
      );
    }
    const row = this.#messageRow(message, channelId, creatorId);
    if (row === undefined) return;
    const root = sourceIdOf(message.tmid);
    const thread = root === '' ? undefined : this.#threadRow(root, channelId);
    if (thread && this.#threads.add(thread.id)) yield thread;
    this.#messages.add(row.id);
    yield { ...row, threadId: thread?.id ?? null };
  }

  /** Returns the thread of a root message, which may have been deleted. */
  #threadRow(root: string, channelId: string): ImportRow & { row: 'thread' } {
    const createdAt = this.#dump.roots.get(root) ?? 0;
    const messageId = this.#ids('message', root, createdAt);
    return {
      row: 'thread',
      id: this.#ids('thread', root, createdAt),
      createdAt,
      channelId,
      messageId: this.#messages.has(messageId) ? messageId : null,
      name: null,
      creatorId: null,
      locked: false,
    };
  }

  #messageRow(message: Loose, channelId: string, creatorId: string): MessageRow | undefined {
    const id = sourceIdOf(message._id);
    const type = textOf(message.t);
    const text = textOfMessage(message, (mark, name) => {
      const found = mark === '@' ? this.#personNamed(name) : this.#channelsByName.get(name);
      return found && (mark === '@' ? mentionOf(found) : channelMentionOf(found));
    });
    const line = Object.hasOwn(lines, type) ? (lines[type] as string) : type.replace(/[-_]/g, ' ');
    const content = type === '' ? text : `${mentionOf(creatorId)} ${line} ${text}`.trim();
    const files = this.#filesOf(message, id);
    if (content === '' && files.length === 0) {
      this.losses.addMessage('has no text and no file', attachedTo(message));
      return undefined;
    }
    const createdAt = timeOf(timeIn(message.ts));
    const pinnedAt = anyTimeOf(timeIn(message.pinnedAt));
    return {
      row: 'message',
      id: this.#ids('message', id, createdAt),
      createdAt,
      editedAt: anyTimeOf(timeIn(message.editedAt)) || null,
      channelId,
      creatorId: type === '' ? creatorId : null,
      isSystem: type !== '',
      content,
      threadId: null,
      replyToId: null,
      files,
      reactions: this.#reactionsOf(message.reactions),
      pin: message.pinned === true ? (pinnedAt > 0 ? { createdAt: pinnedAt } : {}) : null,
    };
  }

  #filesOf(message: Loose, id: string): FileRow[] {
    return filesIn(message).map((file) => ({
      id: this.#ids('file', `${id}:${sourceIdOf(file._id)}`, 0),
      name: firstTextOf(file.name, 'file'),
      path:
        this.#files.get(sourceIdOf(file._id)) ??
        this.#files.get(`${sourceIdOf(file._id)}.${textOf(file.name).replace(/^.*\./, '')}`) ??
        null,
      url: null,
      bytes: countOf(file.size) || null,
    }));
  }

  #reactionsOf(reactions: Loose): MessageRow['reactions'] {
    if (typeof reactions !== 'object' || reactions === null) return [];
    return Object.entries<Loose>(reactions).flatMap(([name, found]) => {
      const emoji = reactionNamed(name);
      const users = [...new Set(listOf(found?.usernames).map(textOf))];
      if (emoji === undefined) this.losses.add('reactions', 'has no name', users.length);
      return emoji === undefined
        ? []
        : users.map((user) => ({ emoji, userId: this.#personNamed(user) ?? null, count: 1 }));
    });
  }
}

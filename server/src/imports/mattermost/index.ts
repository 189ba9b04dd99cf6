import { conversationsOf } from '../reading/conversations.ts';
import { customNameOf, reactionNamed } from '../reading/emoji.ts';
import {
  type Attached,
  anyTimeOf,
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
import { channelKey, membersOf, recordsAt, type Survey, surveyOf } from './survey.ts';
import { textOfPost } from './text.ts';

/**
 * Reads a Mattermost bulk export: JSON Lines, either alone or in a zip with the attachments. Makes two
 * passes, because direct messages and some people occur only in posts. Exports contain no ids, so posts are
 * identified by channel, author, time and text.
 */
const readMattermost: ReadArchive = rowsOf;
export default readMattermost;

async function* rowsOf(archive: Archive, ids: Ids): AsyncGenerator<ImportRow> {
  const reader = new MattermostReader(archive, ids, await surveyOf(archive));
  yield* reader.placeRows();
  yield* reader.postRows();
  yield* reader.losses.rows();
}

const JOIN = /^system_(?:join|leave|add|remove|guest_join|add_guest)_/;
/** Matches texts about joining and leaving, which old exports contain as regular posts. */
const PLAIN_JOIN =
  /^@?(\S{1,64}) (?:(?:joined|left) the (?:channel|team)|(?:was )?(?:added to|removed from) the (?:channel|team)(?: by @?\S{1,64}?)?)\.$/;

/** Returns everything that is attached to a post. */
const attachedTo = (post: Loose): Attached => ({
  reactions: listOf(post?.reactions).length,
  files: listOf(post?.attachments).length,
  pins: post?.is_pinned === true ? 1 : 0,
});

class MattermostReader {
  readonly losses = new Losses();
  readonly #archive: Archive;
  readonly #ids: Ids;
  readonly #survey: Survey;
  readonly #places = new Map<string, string>();

  constructor(archive: Archive, ids: Ids, survey: Survey) {
    this.#archive = archive;
    this.#ids = ids;
    this.#survey = survey;
  }

  #personOf(name: Loose): string | undefined {
    const username = sourceIdOf(name);
    return this.#survey.users.has(username) ? this.#ids('person', username, 0) : undefined;
  }

  /** Yields the people, emoji, channels and conversations. */
  *placeRows(): Generator<ImportRow> {
    for (const [username, user] of this.#survey.users) {
      const full = `${textOf(user.first_name)} ${textOf(user.last_name)}`;
      yield {
        row: 'person',
        id: this.#ids('person', username, 0),
        createdAt: 0,
        username,
        name: firstTextOf(user.nickname, full, user.display_name, username).trim(),
        type: user.isBot ? 'agent' : 'person',
        ...(textOf(user.email) === '' ? {} : { email: textOf(user.email) }),
        isMember: !user.isUnknown && anyTimeOf(user.delete_at) === 0,
      };
    }
    for (const one of this.#survey.emoji) {
      const name = customNameOf(textOf(one?.name));
      const path = this.#pathOf(textOf(one?.image));
      if (name === '') this.losses.add('emoji', 'has no name');
      else
        yield {
          row: 'emoji',
          id: this.#ids('emoji', name, 0),
          createdAt: 0,
          name,
          path,
          url: null,
          creatorId: null,
        };
    }
    for (const [key, channel] of this.#survey.channels) yield this.#channelRow(key, channel);
    const conversations = conversationsOf(this.#ids, this.losses);
    for (const [key, names] of this.#survey.conversations) {
      const memberIds = names.flatMap((name) => this.#personOf(name) ?? []);
      const row = conversations({ sourceId: key, createdAt: 0, name: null, memberIds, creatorId: null });
      if (row === undefined) continue;
      this.#places.set(key, row.id);
      yield row;
    }
  }

  #channelRow(key: string, channel: Loose): ImportRow {
    const id = this.#ids('channel', key, 0);
    this.#places.set(key, id);
    const isPrivate = channel?.type === 'P';
    const team = this.#survey.teams.get(sourceIdOf(channel?.team));
    return {
      row: 'channel',
      id,
      createdAt: 0,
      name: firstTextOf(channel?.display_name, channel?.name, key),
      description: firstTextOf(channel?.purpose, channel?.header) || null,
      category: this.#survey.teams.size > 1 ? firstTextOf(team?.display_name, channel?.team) || null : null,
      private: isPrivate,
      memberIds: isPrivate
        ? (this.#survey.members.get(key) ?? []).flatMap((name) => this.#personOf(name) ?? [])
        : [],
      readonly: anyTimeOf(channel?.deleted_at) > 0,
      creatorId: null,
    };
  }

  async *postRows(): AsyncGenerator<ImportRow> {
    for await (const line of recordsAt(this.#archive, this.#survey.paths)) {
      if (line?.type === 'post')
        yield* this.#threadRows(line.post, channelKey(line.post?.team, line.post?.channel));
      else if (line?.type === 'direct_post')
        yield* this.#threadRows(line.direct_post, membersOf(line.direct_post).join());
    }
  }

  /** Yields a post and its replies. A system post, such as a join, may have replies. */
  *#threadRows(post: Loose, key: string): Generator<ImportRow> {
    const channelId = this.#places.get(key);
    const replies = listOf(post?.replies).toSorted((a, b) => a?.create_at - b?.create_at);
    if (channelId === undefined) {
      const reason = 'is in a channel that is not in the archive';
      for (const each of [post, ...replies]) if (!this.#omits(each)) this.#lose(each, reason, each !== post);
      return;
    }
    const root = this.#omits(post) ? undefined : this.#messageRow(post, key, channelId, null);
    if (root) yield root;
    if (replies.length === 0) return;
    const createdAt = timeOf(post?.create_at);
    const threadId = this.#ids('thread', this.#sourceIdOf(post, key), createdAt);
    yield {
      row: 'thread',
      id: threadId,
      createdAt,
      channelId,
      messageId: root?.id ?? null,
      name: null,
      creatorId: null,
      locked: false,
    };
    for (const reply of replies) {
      const row = this.#omits(reply) ? undefined : this.#messageRow(reply, key, channelId, threadId);
      if (row) yield row;
    }
  }

  /** Returns whether a post is not a message. If so, adds the reason to the report. */
  #omits(post: Loose): boolean {
    const type = textOf(post?.type);
    const name = type === '' ? PLAIN_JOIN.exec(textOf(post?.message))?.[1] : undefined;
    const isDeleted = anyTimeOf(post?.delete_at) > 0;
    const isJoin = JOIN.test(type) || (name !== undefined && this.#survey.users.has(name));
    if (!isDeleted && !isJoin) return false;
    this.losses.addMessage(isDeleted ? 'was deleted in Mattermost' : JOIN_LINE, attachedTo(post), true);
    return true;
  }

  #lose(post: Loose, reason: string, isReply: boolean): void {
    this.losses.addMessage(reason, { ...attachedTo(post), isReply });
  }

  #sourceIdOf(post: Loose, key: string): string {
    return JSON.stringify([key, sourceIdOf(post?.user), timeOf(post?.create_at), textOf(post?.message)]);
  }

  #messageRow(post: Loose, key: string, channelId: string, threadId: string | null): MessageRow | undefined {
    const creatorId = this.#personOf(post?.user);
    const isSystem = /^system_/.test(textOf(post?.type));
    const team = key.split('/', 1)[0];
    const content = textOfPost(post ?? {}, {
      person: (name) => this.#personOf(name) && mentionOf(this.#personOf(name) as string),
      channel: (name) => {
        const id = this.#survey.channels.has(`${team}/${name}`)
          ? this.#places.get(`${team}/${name}`)
          : undefined;
        return id && channelMentionOf(id);
      },
    });
    const createdAt = timeOf(post?.create_at);
    const sourceId = this.#sourceIdOf(post, key);
    const files = listOf(post?.attachments).map((file, index) =>
      this.#fileRow(textOf(file?.path), `${sourceId}:${index}`),
    );
    if (creatorId === undefined || (content.trim() === '' && files.length === 0)) {
      this.#lose(post, creatorId ? 'has no text and no file' : 'has no author', threadId !== null);
      return undefined;
    }
    return {
      row: 'message',
      id: this.#ids('message', sourceId, createdAt),
      createdAt,
      editedAt: anyTimeOf(post.edit_at) || null,
      channelId,
      creatorId: isSystem ? null : creatorId,
      isSystem,
      content,
      threadId,
      replyToId: null,
      files,
      reactions: this.#reactionsOf(post),
      pin: post.is_pinned === true ? {} : null,
    };
  }

  #fileRow(path: string, sourceId: string): FileRow {
    const name = path.slice(path.lastIndexOf('/') + 1) || 'file';
    return { id: this.#ids('file', sourceId, 0), name, path: this.#pathOf(path), url: null, bytes: null };
  }

  /** Finds a file next to the JSON Lines file, or in a folder `data` next to it. Null if it is missing. */
  #pathOf(path: string): string | null {
    const folders = this.#survey.paths.map((each) => each.slice(0, each.lastIndexOf('/') + 1));
    const name = path.replace(/^(?:\.\/)+/, '').normalize('NFC');
    const found = folders.flatMap((folder) => [folder + name, `${folder}data/${name}`]);
    return name === '' ? null : (found.find((each) => this.#archive.has(each)) ?? null);
  }

  #reactionsOf(post: Loose): MessageRow['reactions'] {
    return listOf(post.reactions).flatMap((reaction) => {
      const emoji = reactionNamed(textOf(reaction?.emoji_name));
      if (emoji === undefined) this.losses.add('reactions', 'has no name');
      if (emoji === undefined) return [];
      const createdAt = anyTimeOf(reaction.create_at);
      const userId = this.#personOf(reaction.user) ?? null;
      return [{ emoji, userId, count: 1, ...(createdAt > 0 ? { createdAt } : {}) }];
    });
  }
}

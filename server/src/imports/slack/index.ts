import type { References } from '../../payloads/loose.ts';
import { conversationsOf } from '../reading/conversations.ts';
import { reactionNamed } from '../reading/emoji.ts';
import { anyTimeOf, firstTextOf, type Loose, Losses, listOf, sourceIdOf, textOf } from '../reading/loose.ts';
import type { Archive, ChannelRow, Ids, ImportRow, MessageRow, Reaction, ReadArchive } from '../row.ts';
import { Seen } from '../seen.ts';
import { filesOf, withoutShare } from './files.ts';
import { readLayout, type SlackChannel, type SlackExport } from './layout.ts';
import { attachedTo, countOfReaction, isSystem, messagesAt, omissionOf } from './messages.ts';
import { readPeople, type SlackPeople } from './people.ts';
import { referencesIn, textOfMessage } from './text.ts';
import { messageIdOf, timeOfTs } from './time.ts';

/**
 * Reads a Slack export: a zip or folder with lists of users and channels, and a folder per channel with a
 * file per day. Makes two passes over the messages, because some authors are only known after the first.
 * Keeps one day of a channel in memory to sort it.
 */
const readSlack: ReadArchive = rowsOf;
export default readSlack;

async function* rowsOf(archive: Archive, ids: Ids): AsyncGenerator<ImportRow> {
  const layout = await readLayout(archive);
  const people = await readPeople(archive, layout, ids);
  yield* people.rows.values();
  const losses = new Losses();
  const places = new Map<string, { rowId: string; isConversation: boolean }>();
  for (const row of channelRowsOf(layout.channels, people, ids, losses)) {
    places.set(row.slackId, { rowId: row.row.id, isConversation: row.row.row === 'conversation' });
    yield row.row;
  }
  const reader = new ChannelReader(archive, layout, people, ids, losses, referencesIn(people, places, ids));
  for (const channel of layout.channels) {
    const place = places.get(channel.id);
    if (place) yield* reader.rowsOf(channel, place.rowId);
    else await lose(archive, channel.days, losses, 'is in a conversation with fewer than two members');
  }
  await lose(archive, layout.strayDays, losses, 'is in a folder that belongs to no channel');
  yield* losses.rows();
}

/** Counts the messages of these days as lost. */
async function lose(
  archive: Archive,
  days: readonly string[],
  losses: Losses,
  reason: string,
): Promise<void> {
  for (const path of days)
    for await (const message of messagesAt(archive, path)) loseMessage(message, losses, reason);
}

function loseMessage(message: Loose, losses: Losses, reason: string): void {
  const omission = omissionOf(message);
  losses.addMessage(omission ?? reason, attachedTo(message), omission !== undefined);
}

/** Yields the channels and conversations that can be imported. */
function* channelRowsOf(
  channels: readonly SlackChannel[],
  people: SlackPeople,
  ids: Ids,
  losses: Losses,
): Generator<{ slackId: string; row: ChannelRow | (ImportRow & { row: 'conversation' }) }> {
  const conversations = conversationsOf(ids, losses);
  for (const { id, kind, record } of channels) {
    const createdAt = anyTimeOf(record.created, 1_000);
    const creatorId = people.idOf(sourceIdOf(record.creator)) ?? null;
    const memberIds = listOf(record.members).flatMap((member) => people.idOf(sourceIdOf(member)) ?? []);
    if (kind === 'group' || kind === 'direct') {
      const row = conversations({ sourceId: id, createdAt, name: null, memberIds, creatorId });
      if (row) yield { slackId: id, row };
      continue;
    }
    yield {
      slackId: id,
      row: {
        row: 'channel',
        id: ids('channel', id, createdAt),
        createdAt,
        name: firstTextOf(record.name, record.name_normalized, id),
        description: firstTextOf(record.purpose?.value, record.topic?.value) || null,
        category: null,
        private: kind === 'private',
        memberIds: kind === 'private' ? memberIds : [],
        readonly: record.is_archived === true || record.is_read_only === true,
        creatorId,
      },
    };
  }
}

class ChannelReader {
  readonly #archive: Archive;
  readonly #layout: SlackExport;
  readonly #people: SlackPeople;
  readonly #ids: Ids;
  readonly #losses: Losses;
  readonly #references: References;
  readonly #messages = new Seen();
  readonly #threads = new Seen();

  constructor(
    archive: Archive,
    layout: SlackExport,
    people: SlackPeople,
    ids: Ids,
    losses: Losses,
    references: References,
  ) {
    this.#archive = archive;
    this.#layout = layout;
    this.#people = people;
    this.#ids = ids;
    this.#losses = losses;
    this.#references = references;
  }

  async *rowsOf({ id, record, days }: SlackChannel, channelId: string): AsyncGenerator<ImportRow> {
    const pins = new Map(listOf(record.pins).map((pin) => [sourceIdOf(pin?.id), pin]));
    for (const path of days) {
      for await (const message of messagesAt(this.#archive, path)) {
        if (omissionOf(message) !== undefined) {
          loseMessage(message, this.#losses, '');
          continue;
        }
        const row = this.#messageOf(message, id, channelId, pins);
        if (row === undefined) continue;
        const root = sourceIdOf(message.thread_ts);
        const thread = root === '' || root === message.ts ? undefined : this.#threadOf(root, id, channelId);
        if (thread && this.#threads.add(thread.id)) yield thread;
        this.#messages.add(row.id);
        yield { ...row, threadId: thread?.id ?? null };
      }
    }
    this.#losses.add('pins', 'its message is not in the archive', pins.size);
  }

  /** Returns the thread of a reply. Its root message may be deleted, or older than the export. */
  #threadOf(root: string, channel: string, channelId: string): ImportRow & { row: 'thread' } {
    const createdAt = timeOfTs(root);
    const messageId = messageIdOf(this.#ids, channel, root);
    return {
      row: 'thread',
      id: this.#ids('thread', `${channel}:${root}`, createdAt),
      createdAt,
      channelId,
      messageId: this.#messages.has(messageId) ? messageId : null,
      name: null,
      creatorId: null,
      locked: false,
    };
  }

  #messageOf(
    message: Loose,
    channel: string,
    channelId: string,
    pins: Map<string, Loose>,
  ): MessageRow | undefined {
    const ts = sourceIdOf(message.ts);
    const author = isSystem(message) ? undefined : this.#people.authorOf(message);
    if (author === undefined && !isSystem(message)) {
      this.#losses.addMessage('has no author', attachedTo(message));
      return undefined;
    }
    const { text, isWhole } = textOfMessage(withoutShare(message), this.#references);
    if (!isWhole) this.#losses.add('messages', 'has blocks that are too large: only its text', 1, true);
    const { files, lines } = filesOf(message, this.#layout.files, this.#ids, this.#losses);
    const content = [text, ...lines].filter((part) => part.trim() !== '').join('\n');
    const pin =
      pins.get(ts) ?? (listOf(message.pinned_to).includes(channel) ? (message.pinned_info ?? {}) : undefined);
    pins.delete(ts);
    if (content === '' && files.length === 0) {
      this.#losses.addMessage('has no text and no file', {
        ...attachedTo(message),
        files: 0,
        pins: pin === undefined ? 0 : 1,
      });
      return undefined;
    }
    return {
      row: 'message',
      id: messageIdOf(this.#ids, channel, ts),
      createdAt: timeOfTs(ts),
      editedAt: anyTimeOf(message.edited?.ts, 1_000) || null,
      channelId,
      creatorId: author?.id ?? null,
      isSystem: author === undefined,
      content,
      threadId: null,
      replyToId: null,
      files,
      reactions: listOf(message.reactions).flatMap((reaction) => this.#reactionsOf(reaction)),
      pin: pin === undefined ? null : this.#pinOf(pin),
    };
  }

  #pinOf(pin: Loose): MessageRow['pin'] {
    const createdAt = anyTimeOf(pin.created ?? pin.pinned_ts, 1_000);
    const creatorId = this.#people.idOf(sourceIdOf(pin.user ?? pin.pinned_by));
    return { ...(createdAt > 0 ? { createdAt } : {}), ...(creatorId ? { creatorId } : {}) };
  }

  /**
   * Returns the reactions of known users, and the number of other reactions. If there are many users, Slack
   * names only some of them.
   */
  #reactionsOf(reaction: Loose): Reaction[] {
    const emoji = reactionNamed(textOf(reaction?.name));
    const users = new Set(listOf(reaction?.users).map(sourceIdOf));
    const known = [...users].flatMap((user) => this.#people.idOf(user) ?? []);
    const count = countOfReaction(reaction);
    if (emoji === undefined) {
      this.#losses.add('reactions', 'has no name', count);
      return [];
    }
    const others = count - known.length;
    return [
      ...known.map((userId) => ({ emoji, userId, count: 1 })),
      ...(others > 0 ? [{ emoji, userId: null, count: others }] : []),
    ];
  }
}

import { timeOfId } from '../../lib/deps.ts';
import {
  type Archive,
  ArchiveRefused,
  type FileRow,
  type Ids,
  type ImportRow,
  type Noun,
  type Reaction,
} from '../row.ts';
import { type Fields, fieldsOf } from './fields.ts';
import { Ahead, linesIn } from './lines.ts';
import { verified } from './verify.ts';

/**
 * Reads an export from Palaver. All of its checksums are verified before its first row. Rows that belong to
 * messages are in separate files, in the order of the messages. Throws ArchiveRefused.
 */
export default async function* read(archive: Archive, ids: Ids): AsyncGenerator<ImportRow> {
  await verified(archive);
  const named = namesOf(ids);
  for await (const fields of rowsIn(archive, 'people'))
    yield {
      ...{ row: 'person', id: named('person', fields.id('id')), createdAt: fields.time('createdAt') },
      ...{ username: fields.text('username'), name: fields.text('name') },
      ...{ type: fields.oneOf('type', ['person', 'agent']), isMember: fields.flag('isMember') },
    };
  for await (const fields of rowsIn(archive, 'emoji'))
    yield {
      ...{ row: 'emoji', id: named('emoji', fields.id('id')), createdAt: fields.time('createdAt') },
      ...{ name: fields.text('name'), path: fields.textOrNull('path'), url: null },
      creatorId: named.orNull('person', fields.idOrNull('creatorId')),
    };
  yield* places(archive, named);
  for await (const fields of rowsIn(archive, 'threads'))
    yield {
      ...{ row: 'thread', id: named('thread', fields.id('id')), createdAt: fields.time('createdAt') },
      channelId: named('channel', fields.id('channelId')),
      messageId: named.orNull('message', fields.idOrNull('messageId')),
      ...{ name: fields.textOrNull('name'), locked: fields.flag('locked') },
      creatorId: named.orNull('person', fields.idOrNull('creatorId')),
    };
  yield* messages(archive, named);
}

type Named = ReturnType<typeof namesOf>;

/**
 * Returns the ids of rows on this server. Channels and conversations share a namespace, because messages
 * refer to both alike.
 */
function namesOf(ids: Ids) {
  const named = (noun: Noun, id: string): string => ids(noun, id, timeOfId(id));
  return Object.assign(named, {
    orNull: (noun: Noun, id: string | null): string | null => (id === null ? null : named(noun, id)),
  });
}

async function* rowsIn(archive: Archive, name: string): AsyncGenerator<Fields> {
  const path = `${name}.jsonl`;
  for await (const { row, number } of linesIn(archive, path)) yield fieldsOf(row, `${path}, line ${number}`);
}

async function* places(archive: Archive, named: Named): AsyncGenerator<ImportRow> {
  for await (const fields of rowsIn(archive, 'channels'))
    yield {
      ...{ row: 'channel', id: named('channel', fields.id('id')), createdAt: fields.time('createdAt') },
      ...{ name: fields.text('name'), description: fields.textOrNull('description') },
      ...{ category: fields.textOrNull('category'), private: fields.flag('private') },
      memberIds: fields.ids('memberIds').map((id) => named('person', id)),
      ...{ readonly: fields.flag('readonly') },
      creatorId: named.orNull('person', fields.idOrNull('creatorId')),
    };
  for await (const fields of rowsIn(archive, 'conversations'))
    yield {
      ...{ row: 'conversation', id: named('channel', fields.id('id')), createdAt: fields.time('createdAt') },
      name: fields.textOrNull('name'),
      memberIds: fields.ids('memberIds').map((id) => named('person', id)),
      creatorId: named.orNull('person', fields.idOrNull('creatorId')),
    };
}

async function* messages(archive: Archive, named: Named): AsyncGenerator<ImportRow> {
  const ahead = (name: string, key: string) => new Ahead(rowsIn(archive, name), key);
  const replies = ahead('replies', 'id');
  const reactions = ahead('reactions', 'messageId');
  const pins = ahead('pins', 'messageId');
  const files = ahead('files', 'messageId');
  for await (const fields of rowsIn(archive, 'messages')) {
    const id = fields.id('id');
    const [reply, pin] = [(await replies.of(id))[0], (await pins.of(id))[0]];
    const type = fields.oneOf('type', ['person', 'agent', 'system']);
    yield {
      ...{ row: 'message', id: named('message', id), createdAt: fields.time('createdAt') },
      ...{ editedAt: fields.timeOrNull('editedAt'), channelId: named('channel', fields.id('channelId')) },
      creatorId: named.orNull('person', fields.idOrNull('creatorId')),
      ...{ isSystem: type === 'system', content: fields.text('content') },
      threadId: named.orNull('thread', reply?.idOrNull('threadId') ?? null),
      replyToId: named.orNull('message', reply?.idOrNull('replyToId') ?? null),
      files: (await files.of(id)).map((file) => fileIn(file, named)),
      reactions: (await reactions.of(id)).map((reaction) => reactionIn(reaction, named)),
      pin: pin
        ? {
            ...{ id: named('pin', pin.id('id')), createdAt: pin.time('createdAt') },
            creatorId: named.orNull('person', pin.idOrNull('creatorId')),
          }
        : null,
    };
  }
  for (const [name, rows] of Object.entries({ replies, reactions, pins, files }))
    if (!(await rows.isEmpty()))
      throw new ArchiveRefused(`${name}.jsonl has rows of a message that is missing or out of order`);
}

const fileIn = (fields: Fields, named: Named): FileRow => ({
  ...{ id: named('file', fields.id('id')), name: fields.text('name'), path: fields.textOrNull('path') },
  ...{ url: null, bytes: fields.time('bytes'), createdAt: fields.time('createdAt') },
  creatorId: named.orNull('person', fields.idOrNull('creatorId')),
});

function reactionIn(fields: Fields, named: Named): Reaction {
  const userId = named.orNull('person', fields.idOrNull('userId'));
  const emoji = fields.text('emoji');
  if (userId === null) return { emoji, userId, count: fields.time('count') };
  const id = named('reaction', fields.id('id'));
  return { emoji, userId, count: 1, id, createdAt: fields.time('createdAt') };
}

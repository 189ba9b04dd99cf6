import type { Static } from 'typebox';
import { earlierVersionsRule, historyReadersIn, seesEarlierVersions } from '../../access/earlierVersions.ts';
import { forbidden } from '../../access/predicates.ts';
import { prepare, q } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { versionOf } from '../../feed/contentRefs.ts';
import { Type } from '../../lib/schema.ts';
import { flag, id, nullable, optional, text, time } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { messageTarget } from './load.ts';
import { content } from './messageRecord.ts';

/** Number of versions per page. */
const PAGE_VERSIONS = 50;

const version = Type.Object({
  content,
  at: time('When the message got this content: its `createdAt`, or its `editedAt` after that edit'),
  userId: nullable(id('The user who wrote this version; null for Palaver itself')),
});
type Version = Static<typeof version>;

/** A page of a message's versions. */
const edits = Type.Object(
  {
    versions: Type.Array(version, {
      description: 'Oldest first; the last version on the last page is the current one',
    }),
    hasFirst: flag(
      'False if the original content is unknown: the message was edited before Palaver stored versions',
      true,
    ),
    after: nullable(text({ max: 100, description: '`after` for the next page; null on the last one' })),
  },
  { $id: 'Edits', title: 'Edits', additionalProperties: false },
);

const versionsAfter = prepare((p: { messageId: string; after: number; limit: number }) =>
  q
    .selectFrom('messageVersion')
    .select(['at', 'userId', 'content'])
    .where('messageId', '=', p.messageId)
    .where('at', '>', p.after)
    .orderBy('at')
    .limit(p.limit),
);

export const messageEdits = read({
  operation: 'messageEdits',
  people: true,
  path: '/messages/:messageId/edits',
  tag: 'message',
  kind: 'view',
  summary: "List a message's versions",
  description:
    "Earlier versions are shown to the message's author and, except in direct messages, to moderators and the server creator. If the server's `editHistory` is `everyone`, they are shown to everyone who can see the channel.",
  visible: 'channel',
  query: Type.Object({
    after: optional(text({ min: 1, max: 100, description: '`after` of the previous page' })),
  }),
  answer: edits,
  target: ({ db }, { params }) => messageTarget(db, params.messageId),
  async run({ db, principal }, { query }, target) {
    const { message, channel } = await target;
    const { id: messageId, serverId, creatorId, createdAt, editedAt } = message;
    if (query.after !== undefined && !/^\d{1,15}$/.test(query.after))
      throw invalid('unknown_value', 'after', 'is not an `after` of this list');
    const now: Version = { content: message.content, at: versionOf(message), userId: creatorId };
    if (editedAt === null) return { versions: [now], hasFirst: true, after: null };
    const readers = await historyReadersIn(db, serverId);
    if (!seesEarlierVersions(principal, { creatorId, readers, isDirect: channel.memberIds !== null }))
      throw forbidden(
        principal,
        earlierVersionsRule,
        ['canModerate'],
        'only the author and moderators can see earlier versions of this message',
      );
    const limit = PAGE_VERSIONS + 1;
    const rows = await db.all(versionsAfter({ messageId, after: Number(query.after ?? -1), limit }));
    const hasMore = rows.length > PAGE_VERSIONS;
    const versions = rows
      .slice(0, PAGE_VERSIONS)
      .map((row) => ({ ...row, content: row.content ?? now.content }));
    if (!hasMore && versions.at(-1)?.at !== now.at) versions.push(now);
    return {
      versions,
      hasFirst: query.after !== undefined || versions[0]?.at === createdAt,
      after: hasMore ? String(versions.at(-1)?.at) : null,
    };
  },
});

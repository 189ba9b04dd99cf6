import type { Principal } from '../../access/principal.ts';
import { whereChannelVisible } from '../../access/whereVisible.ts';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, insert, prepare, q, remove, update } from '../../db/statements.ts';
import { ApiError, invalid } from '../../errors.ts';
import { Type } from '../../lib/schema.ts';
import { act } from '../../operations/act.ts';
import type { WriteCall } from '../../operations/call.ts';
import { sampleId } from '../../operations/examples.ts';
import { body, optional, reference, time } from '../../operations/fields.ts';
import { touched } from '../common.ts';
import { content, draft, draftEvents, toDraft } from './draftRecord.ts';
import { requireMarker, requireOnePlace } from './mark.ts';

/** Maximum drafts per person across all servers, because one response returns all drafts in a server. */
const MAX_DRAFTS = 100;

/** The draft after a request; null if there is none. */
const kept = Type.Object(
  {
    draft: Type.Unsafe<object | null>({
      ...draft,
      type: ['object', 'null'],
      $id: undefined,
      title: undefined,
    }),
  },
  { $id: 'KeptDraft', title: 'KeptDraft', additionalProperties: false },
);

const oneOf = prepare((p: { userId: string; serverId: string }) =>
  q
    .selectFrom('draft')
    .select('id')
    .where('userId', '=', p.userId)
    .where('serverId', '=', p.serverId)
    .limit(1),
);

/** Returns a person's drafts in the channels of a server that they can see. */
export async function draftsOf(db: Reader, principal: Principal & { serverId: string }) {
  const { userId, serverId } = principal;
  // Few people have drafts, and the condition for visible channels is long.
  if (!(await db.first(oneOf({ userId, serverId })))) return [];
  const rows = q
    .selectFrom('draft')
    .innerJoin('channel', 'channel.id', 'draft.channelId')
    .selectAll('draft')
    .where('draft.userId', '=', userId)
    .where('draft.serverId', '=', serverId)
    .where(whereChannelVisible(principal))
    .orderBy('draft.id');
  return (await db.all(rows)).map(toDraft);
}

export const draftOperations = [
  act({
    operation: 'draftSave',
    people: true,
    conflict: true,
    method: 'POST',
    path: '/drafts',
    resource: 'draft',
    verb: 'update',
    summary: 'Save a draft',
    description: `Saves a draft for a channel or thread, on all your devices. An empty draft is deleted. Pass the \`updatedAt\` you last saw as \`version\` (0 for none): if another device has changed the draft in the meantime, it is not saved and the response is ALREADY_EXISTS with that draft in \`details.draft\`. A person has at most ${MAX_DRAFTS} drafts.`,
    body: body({
      channelId: optional(reference('Required without threadId')),
      threadId: optional(reference('A thread instead of a channel')),
      content,
      version: optional(
        time('The `updatedAt` of the draft that you last saw. Without `version`, the last write wins'),
      ),
    }),
    examples: { Example: { channelId: sampleId('channel'), content: 'Hello, wor' } },
    answer: kept,
    check: ({ body }) => requireOnePlace(body),
    // Writes are serialized per person, so that two devices with the same version cannot both replace the
    // draft.
    run: async ({ principal: { userId }, writeOnAccount }, { body }) => ({
      data: await writeOnAccount(userId, (call) => save(call, body)),
    }),
  }),
];

interface Request {
  channelId?: string;
  threadId?: string;
  content: string;
  version?: number;
}

/** Saves or deletes a draft. Throws NOT_FOUND, ALREADY_EXISTS or INVALID_REQUEST. */
async function save(call: WriteCall, { content, version, ...asked }: Request) {
  const { db, newRow, now, principal, tell } = call;
  const { userId } = principal;
  const { serverId, channelId, threadId } = await requireMarker(call, asked);
  const place = threadId ?? channelId;
  const found = await db.first(find('draft', { userId, place }));
  if (found?.content === content || (!found && content === ''))
    return { draft: found ? toDraft(found) : null };
  if (version !== undefined && version !== (found?.updatedAt ?? 0)) throw changedElsewhere(found);
  if (content === '') {
    await db.run(remove('draft', { id: (found as RowOf<'draft'>).id }));
    tell(draftEvents.deleted, toDraft(found as RowOf<'draft'>));
    return { draft: null };
  }
  if (!found) await requireRoom(call);
  const row: RowOf<'draft'> = found
    ? { ...found, content, updatedAt: touched(found, now) }
    : { ...newRow(), userId, serverId, channelId, threadId, place, content };
  await db.run(found ? update('draft', row.id, { content, updatedAt: row.updatedAt }) : insert('draft', row));
  tell(draftEvents.updated, toDraft(row));
  return { draft: toDraft(row) };
}

const changedElsewhere = (found: RowOf<'draft'> | undefined): ApiError =>
  new ApiError('ALREADY_EXISTS', 'another device has changed this draft in the meantime', {
    draft: found ? toDraft(found) : null,
  });

/** Throws INVALID_REQUEST if the person has reached the maximum number of drafts. */
async function requireRoom({ db, principal: { userId } }: WriteCall): Promise<void> {
  const some = q.selectFrom('draft').select('id').where('userId', '=', userId).limit(MAX_DRAFTS);
  if ((await db.all(some)).length === MAX_DRAFTS)
    throw invalid('quota', '', `you have reached the limit of ${MAX_DRAFTS} drafts. Send or discard some`);
}

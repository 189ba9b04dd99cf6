import { insert, prepare, q } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { requireFileRoom } from '../../limits/room.ts';
import { upload } from '../../operations/upload.ts';
import { attachment, attachmentEvents, toAttachment } from '../attached.ts';
import { ownServerId } from '../common.ts';
import { conversationsIn } from '../conversation/own.ts';
import { discardFile, keepFile, receiveFile, type Upload } from '../received.ts';

/** Maximum unsent files per user and server. */
const MAX_UNSENT = 100;
const unsentOf = prepare((p: { creatorId: string; serverId: string; most: number }) => {
  const rows = q
    .selectFrom('attachment')
    .select('id')
    .where('creatorId', '=', p.creatorId)
    .where('messageId', 'is', null)
    .where('serverId', '=', p.serverId)
    .limit(p.most);
  return q.selectFrom(rows.as('found')).select((eb) => eb.fn.countAll<number>().as('rows'));
});

export const attachmentInsert = upload({
  operation: 'attachmentInsert',
  path: '/attachments',
  resource: 'attachment',
  verb: 'insert',
  summary: 'Upload a file',
  description:
    'Send a form with one file. Unsent files are deleted after a day. The type is detected from the content. Camera and location metadata is removed from images.',
  takes: ['multipart/form-data'],
  answer: attachment,
  async target({ db, principal }) {
    const serverId = ownServerId(principal);
    // Members without canEditData may still upload files for direct messages.
    const conversations = await conversationsIn(db, { ...principal, serverId }, 1);
    return { serverId, isInConversation: conversations.length > 0 };
  },

  receive: (call, incoming, { serverId }, services) => receiveFile(call, incoming, services, { serverId }),

  fingerprint: ({ sha256 }: Upload) => sha256,

  async run({ db, emit, newRow, principal, services }, _input, { serverId }, upload: Upload) {
    const { file: received } = upload;
    const { userId: creatorId } = principal;
    const [unsent] = await Promise.all([
      db.first(unsentOf({ creatorId, serverId, most: MAX_UNSENT })),
      requireFileRoom(db, services.quotas, serverId, received.bytes),
    ]);
    if ((unsent?.rows ?? 0) >= MAX_UNSENT)
      throw invalid(
        'too_many',
        '',
        `you have ${MAX_UNSENT} uploaded files that are not sent. Send them or delete some`,
      );
    await keepFile({ db }, serverId, upload);
    const row = {
      ...newRow(),
      serverId,
      channelId: null,
      messageId: null,
      creatorId,
      ...received,
    };
    await db.run(insert('attachment', row));
    const made = toAttachment(row);
    await emit(attachmentEvents.created, made);
    return made;
  },

  discard: discardFile,
});

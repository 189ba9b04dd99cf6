import { remove } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { read } from '../../operations/read.ts';
import { write } from '../../operations/write.ts';
import { attachment, attachmentEvents, keeperOf, toAttachment } from '../attached.ts';
import { attachmentContent } from './content.ts';
import { attachmentTarget } from './load.ts';
import { attachmentInsert } from './upload.ts';

export const attachmentOperations = [
  attachmentInsert,

  read({
    operation: 'attachmentById',
    path: '/attachments/:attachmentId',
    tag: 'attachment',
    summary: "Get a file's metadata",
    visible: 'attachment',
    answer: attachment,
    async target({ db }, { params }) {
      const found = await attachmentTarget(db, params.attachmentId);
      return { ...found, ownerId: keeperOf(found.attachment) };
    },
    run: async (_call, _input, target) => toAttachment((await target).attachment),
  }),

  attachmentContent,

  write({
    operation: 'attachmentDelete',
    path: '/attachments/:id',
    resource: 'attachment',
    verb: 'delete',
    summary: 'Delete an unsent file',
    description: 'A file that was sent is deleted with its message.',
    answer: attachment,
    async target({ db }, { params }) {
      const found = await attachmentTarget(db, params.id);
      return { ...found, ownerId: found.attachment.creatorId };
    },
    async run({ db, emit }, _input, { attachment: found }) {
      if (found.messageId !== null)
        throw invalid('wrong_kind', 'id', 'was already sent. Delete its message instead');
      const deleted = toAttachment(found);
      await db.run(remove('attachment', { id: found.id }));
      await emit(attachmentEvents.deleted, deleted);
      return deleted;
    },
  }),
];

import { notFound } from '../../errors.ts';
import { dispositionOf } from '../../files/name.ts';
import { fileKeys, NotStored } from '../../files/store.ts';
import { Type } from '../../lib/schema.ts';
import { requireProven } from '../../operations/call.ts';
import { download } from '../../operations/download.ts';
import { body, flag, nullable, optional, reference, time } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import type { Services } from '../../operations/services.ts';
import { transact, workIn } from '../../operations/work.ts';
import { write } from '../../operations/write.ts';
import { load, ownTarget } from '../common.ts';
import { listById } from '../lists.ts';
import { recordAct } from '../recordAct.ts';
import { addHold, endHold } from './changeHold.ts';
import { hold, holds, keptBy, keptFileOf, keptMessage, reason, toHold, toKeptMessage } from './holdRecord.ts';

/** Records that a platform admin has read what a hold keeps. */
const recordRead = (services: Services, userId: string, about: Record<string, string>): Promise<void> =>
  transact(services, async (tx, pending) => {
    const work = workIn(tx, services, { kind: 'person', id: userId }, pending);
    await recordAct(work, 'hold read', about);
  });

/**
 * Legal holds belong to the platform, because a server's owner may be the subject of one, and members who
 * delete something must not learn about it.
 */
export const platformHoldOperations = [
  read({
    operation: 'platformHolds',
    people: true,
    path: '/platform/holds',
    tag: 'platform',
    summary: 'List legal holds',
    description: 'Returns the newest holds first.',
    visible: 'platform',
    query: Type.Object({ lasting: optional(flag('Only active holds (true) or ended ones (false)')) }),
    answer: hold,
    list: 'many',
    target: ownTarget,
    async run({ db, now }, input) {
      const rows = holds();
      const { lasting } = input.query;
      const chosen =
        lasting === undefined
          ? rows
          : rows.where((eb) => {
              const lasts = eb.and([
                eb('endedAt', 'is', null),
                eb.or([eb('until', 'is', null), eb('until', '>', now)]),
              ]);
              return lasting ? lasts : eb.not(lasts);
            });
      return listById(db, chosen, input, toHold, 'desc');
    },
  }),

  write({
    operation: 'platformHoldInsert',
    people: true,
    method: 'POST',
    path: '/platform/holds',
    resource: 'platform',
    verb: 'insert',
    summary: 'Create a legal hold',
    description:
      'When messages that the hold covers are deleted, they are kept for platform admins. Nobody in the server is notified of the hold. Requires a confirmed identity.',
    body: body({
      serverId: reference(),
      userId: optional(nullable(reference('Only messages by this user'))),
      channelId: optional(nullable(reference('Only messages in this channel'))),
      reason,
      until: optional(nullable(time('When it ends automatically'))),
    }),
    answer: hold,
    target: async ({ principal }) => ({ serverId: null, ownerId: principal.userId }),
    async run(call, { body }) {
      requireProven(call);
      const made = await addHold(call, body, call.principal.userId);
      await recordAct(call, 'hold create', { id: made.id, serverId: made.serverId });
      return made;
    },
  }),

  write({
    operation: 'platformHoldEnd',
    people: true,
    method: 'POST',
    path: '/platform/holds/:id/end',
    resource: 'platform',
    verb: 'update',
    summary: 'End a legal hold',
    description:
      'Within minutes, messages that only this hold kept are deleted, with their files. Requires a confirmed identity.',
    body: body({ id: optional(reference()) }),
    answer: hold,
    async target({ db, principal }, { params }) {
      return { serverId: null, ownerId: principal.userId, found: await load(db, 'hold', params.id) };
    },
    async run(call, _input, { found }) {
      requireProven(call);
      const ended = await endHold(call, found);
      await recordAct(call, 'hold end', { id: found.id, serverId: found.serverId });
      return ended;
    },
  }),

  read({
    operation: 'platformHoldMessages',
    people: true,
    path: '/platform/holds/:id/messages',
    tag: 'platform',
    summary: 'List the messages that a legal hold keeps',
    description:
      'Returns messages that were deleted while the hold was active, oldest first, with earlier versions and the names of their files. Direct messages are not included, because admins cannot see them. Each request is recorded in the audit log.',
    visible: 'platform',
    answer: keptMessage,
    list: 'many',
    target: ownTarget,
    async run({ principal, services }, input) {
      const { db } = services;
      const found = await load(db.read, 'hold', input.params.id);
      await recordRead(services, principal.userId, { id: found.id, serverId: found.serverId });
      return listById(db.read, keptBy(found), input, toKeptMessage);
    },
  }),

  download({
    operation: 'platformHoldFile',
    people: true,
    path: '/platform/holds/:holdId/files/:fileId/content',
    tag: 'platform',
    kind: 'content',
    summary: 'Download a file of a message that a legal hold keeps',
    description:
      'The file is always served as a download. Supports `Range` with one range. Each request is recorded in the audit log.',
    visible: 'platform',
    type: 'application/octet-stream',
    // When a browser opens a link, it does not send the `Palaver-Server` header.
    serverOf: async () => null,
    target: ownTarget,
    async run({ principal, services }, { params }) {
      const { db, files } = services;
      const found = await load(db.read, 'hold', params.holdId);
      const file = await keptFileOf(db.read, found, params.fileId);
      const about = { id: found.id, serverId: found.serverId, fileId: file.id };
      await recordRead(services, principal.userId, about);
      const store = await files.store;
      const key = fileKeys(file.id).whole;
      return {
        type: 'application/octet-stream',
        length: file.bytes,
        tag: key,
        cacheControl: 'private, no-store',
        headers: { 'content-disposition': dispositionOf('attachment', file.name) },
        bytes: (range) =>
          store.open(key, range).catch((error) => {
            throw error instanceof NotStored ? notFound('file') : error;
          }),
      };
    },
  }),
];

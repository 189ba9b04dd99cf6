import type { Call } from '../../operations/call.ts';
import { requireProven } from '../../operations/call.ts';
import { download } from '../../operations/download.ts';
import { read } from '../../operations/read.ts';
import { write } from '../../operations/write.ts';
import { load, ownTarget } from '../../resources/common.ts';
import { archiveOf } from '../../resources/export.ts';
import { listById } from '../../resources/lists.ts';
import {
  deletePersonExport,
  exportsOf,
  loadPersonExport,
  MAX_DAILY_EXPORTS,
  personExport,
  startPersonExport,
  toPersonExport,
} from '../../resources/personExport.ts';
import { notify } from '../notices.ts';

/** Returns the target of requests about one export. Throws NOT_FOUND. */
async function exportTarget(call: Call, id: string) {
  const { userId } = call.principal;
  return { serverId: null, ownerId: userId, found: await loadPersonExport(call, userId, id) };
}

/**
 * The operations on exports of a person's data. `imports/export/job.ts` writes the archives in the
 * background.
 */
export const archiveOperations = [
  read({
    operation: 'personExports',
    people: true,
    path: '/exports',
    tag: 'person',
    summary: 'List the exports of your data',
    description: 'Returns the exports of the last seven days, newest first.',
    visible: 'person',
    answer: personExport,
    list: 'many',
    target: ownTarget,
    run: ({ db, now, principal }, input) =>
      listById(db, exportsOf(principal.userId, now), input, toPersonExport, 'desc'),
  }),

  read({
    operation: 'personExportById',
    people: true,
    path: '/exports/:id',
    tag: 'person',
    summary: 'Get an export of your data',
    visible: 'person',
    answer: personExport,
    target: (call, { params }) => exportTarget(call, params.id),
    run: async (_call, _input, target) => toPersonExport((await target).found),
  }),

  download({
    operation: 'personExportContent',
    people: true,
    path: '/exports/:exportId/content',
    tag: 'person',
    kind: 'content',
    summary: 'Download an export of your data',
    description:
      'Returns a zip archive with JSON Lines, files, HTML pages that need no server, and a manifest with checksums. Supports `Range` with one range. Requires a confirmed identity.',
    visible: 'person',
    type: 'application/zip',
    // The browser opens the download as a link, without the `Palaver-Server` header.
    serverOf: async () => null,
    async target(call, { params }) {
      requireProven(call);
      return exportTarget(call, params.exportId);
    },
    async run({ services, db }, _input, { found }) {
      const { username } = await load(db, 'user', found.userId);
      return archiveOf(services, found, username);
    },
  }),

  write({
    operation: 'personExportInsert',
    people: true,
    path: '/exports',
    resource: 'person',
    verb: 'insert',
    summary: 'Start an export of your data',
    description: `The archive contains everything you wrote (with earlier versions, files and reactions), all messages in your direct messages, and everything that \`GET /api/people/export\` returns. It can be downloaded for seven days. You can start ${MAX_DAILY_EXPORTS} a day, one at a time. Requires a confirmed identity.`,
    answer: personExport,
    target: async ({ principal: { userId } }) => ({ serverId: null, ownerId: userId, alsoIn: [userId] }),
    async run(call) {
      requireProven(call);
      const { userId } = call.principal;
      const made = await startPersonExport(call, userId);
      await notify(call, userId, 'dataExported');
      return made;
    },
  }),

  write({
    operation: 'personExportDelete',
    people: true,
    path: '/exports/:id',
    resource: 'person',
    verb: 'delete',
    summary: 'Delete an export of your data',
    description: 'If the export is in progress, it stops.',
    answer: personExport,
    async target(call, { params }) {
      return { ...(await exportTarget(call, params.id)), alsoIn: [call.principal.userId] };
    },
    run: (call, _input, { found }) => deletePersonExport(call, found),
  }),
];

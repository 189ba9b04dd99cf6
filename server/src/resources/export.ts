import { setTimer } from '../clock/timers.ts';
import { find, insert, q, remove } from '../db/statements.ts';
import { EXPORT_MS } from '../db/tables/export.ts';
import { invalid, notFound } from '../errors.ts';
import { eventsOf } from '../feed/eventKind.ts';
import { dispositionOf } from '../files/name.ts';
import { NotStored } from '../files/store.ts';
import { isId } from '../lib/deps.ts';
import type { Call } from '../operations/call.ts';
import { type Content, download } from '../operations/download.ts';
import { body, count, id, nullable, oneOf, optional, record, reference, size } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import type { Services } from '../operations/services.ts';
import { write } from '../operations/write.ts';
import { load, recordOf, serverTarget } from './common.ts';
import { listById } from './lists.ts';

const serverExport = record('Export', {
  serverId: id(),
  channelId: nullable(id('The exported channel; null for the whole server')),
  creatorId: id('The user who started it'),
  state: oneOf(['running', 'done', 'failed'], '`done` once the export can be downloaded'),
  messages: count('Number of messages exported so far'),
  bytes: nullable(size('The size of the archive; null until it is complete')),
});
export const toExport = recordOf(serverExport);

export const exportEvents = eventsOf(
  'export',
  { data: serverExport, audience: 'administrators' },
  {
    created: 'An export was started',
    updated: 'An export was completed or failed',
    deleted: 'An export was deleted',
  },
);

/** Returns the response to a download of an export's archive. Throws NOT_FOUND until it is complete. */
export async function archiveOf(
  { files }: Pick<Services, 'files'>,
  { id, state, bytes }: { id: string; state: string; bytes: number | null },
  name: string,
): Promise<Content> {
  if (state !== 'done' || bytes === null) throw notFound('file');
  const store = await files.store;
  return {
    type: 'application/zip',
    length: bytes,
    tag: id,
    cacheControl: 'private, no-store',
    headers: { 'content-disposition': dispositionOf('attachment', `palaver-${name}.zip`) },
    bytes: (range) =>
      store.open(id, range).catch((error) => {
        throw error instanceof NotStored ? notFound('file') : error;
      }),
  };
}

async function exportTarget({ db, now }: Pick<Call, 'db' | 'now'>, exportId: string) {
  const found = await load(db, 'export', exportId);
  if (found.createdAt <= now - EXPORT_MS) throw notFound('export');
  return { serverId: found.serverId, found };
}

export const exportOperations = [
  read({
    operation: 'exportsByServer',
    path: '/servers/:serverId/exports',
    tag: 'export',
    summary: "List a server's exports",
    description: 'Returns the exports of the last seven days, newest first.',
    visible: 'administrators',
    answer: serverExport,
    list: 'many',
    target: serverTarget,
    async run({ db, now }, input) {
      const rows = q
        .selectFrom('export')
        .selectAll()
        .where('serverId', '=', input.params.serverId)
        .where('createdAt', '>', now - EXPORT_MS);
      return listById(db, rows, input, toExport, 'desc');
    },
  }),

  read({
    operation: 'exportGet',
    path: '/exports/:id',
    tag: 'export',
    summary: 'Get an export',
    visible: 'administrators',
    answer: serverExport,
    target: async (call, { params }) => exportTarget(call, params.id),
    run: async (_call, _input, target) => toExport((await target).found),
  }),

  download({
    operation: 'exportContent',
    path: '/exports/:exportId/content',
    tag: 'export',
    kind: 'content',
    summary: 'Download an export',
    description:
      'Returns a zip archive with JSON Lines, files, HTML pages that need no server, and a manifest with checksums. `palaver import --from palaver` reads it. Supports `Range` with one range.',
    visible: 'administrators',
    type: 'application/zip',
    async serverOf(db, { exportId = '' }) {
      const found = isId(exportId) ? await db.first(find('export', { id: exportId })) : undefined;
      return found?.serverId ?? null;
    },
    target: (call, { params }) => exportTarget(call, params.exportId),
    run: ({ services }, _input, { found }) => archiveOf(services, found, found.id),
  }),

  write({
    operation: 'exportInsert',
    path: '/servers/:serverId/exports',
    resource: 'export',
    verb: 'insert',
    summary: 'Start an export',
    description:
      'Exports the current state of the server or of one channel, without direct messages. The archive can be downloaded for seven days.',
    body: body({ channelId: optional(nullable(reference('The only channel to export'))) }),
    answer: serverExport,
    target: serverTarget,
    async run(call, { body }, { serverId }) {
      const { db, emit, newRow, now, principal } = call;
      const { channelId = null } = body;
      if (channelId !== null) {
        const channel = await load(db, 'channel', channelId);
        if (channel.serverId !== serverId || channel.kind === 'dm')
          throw invalid('mismatch', 'channelId', 'is not a channel of this server');
      }
      const made = { ...newRow(), serverId, channelId, creatorId: principal.userId };
      const row = { ...made, state: 'running' as const, messages: 0, bytes: null };
      await db.run(insert('export', row));
      await setTimer(db, { id: row.id, kind: 'export', serverId, dueAt: now, now });
      await emit(exportEvents.created, toExport(row));
      return toExport(row);
    },
  }),

  write({
    operation: 'exportDelete',
    path: '/exports/:id',
    resource: 'export',
    verb: 'delete',
    summary: 'Delete an export',
    description: 'If the export is in progress, it stops.',
    answer: serverExport,
    target: async (call, { params }) => exportTarget(call, params.id),
    async run({ db, emit }, _input, { found }) {
      await db.run(remove('export', { id: found.id }));
      await emit(exportEvents.deleted, toExport(found));
      return toExport(found);
    },
  }),
];

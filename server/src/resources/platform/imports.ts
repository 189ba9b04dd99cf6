import { removeTimer, setTimer } from '../../clock/timers.ts';
import type { Reader } from '../../db/contract.ts';
import { find, insert, q, remove, update } from '../../db/statements.ts';
import { IMPORT_MS } from '../../db/tables/import.ts';
import { invalid, notFound } from '../../errors.ts';
import { Type } from '../../lib/schema.ts';
import { MEGABYTE } from '../../limits/room.ts';
import { type Call, requireProven } from '../../operations/call.ts';
import { body, flag, optional, reference, size, text } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { upload } from '../../operations/upload.ts';
import { write } from '../../operations/write.ts';
import { load, ownTarget, touched } from '../common.ts';
import { listById } from '../lists.ts';
import { recordAct } from '../recordAct.ts';
import { announceUnfinished } from '../unfinishedImport.ts';
import { offsetOf, type Part, requireContinues, storePart } from './importPart.ts';
import { fileName, newServerField, platformImport, sourceField, toImport, withLine } from './importRecord.ts';

/** Maximum size of a part, in bytes. */
const PART_BYTES = 32 * MEGABYTE;
/** Maximum imports in the list, and maximum imports with a stored archive. */
const MAX_IMPORTS = 100;
const MAX_STORED = 10;

async function loadImport({ db, now }: { db: Reader; now: number }, importId: string) {
  const found = await load(db, 'import', importId);
  if (found.createdAt <= now - IMPORT_MS) throw notFound('import');
  return found;
}

const importTarget = async (call: Call, { params }: { params: { id: string } }) => ({
  serverId: null,
  ownerId: call.principal.userId,
  found: await loadImport(call, params.id),
});

/** Throws INVALID_REQUEST if there are too many imports. */
async function requireRoom(db: Reader): Promise<void> {
  const states = await db.all(q.selectFrom('import').select('state').limit(MAX_IMPORTS));
  if (states.length >= MAX_IMPORTS)
    throw invalid('too_many', '', `there are ${MAX_IMPORTS} imports. Delete some`);
  const stored = states.filter(({ state }) => state !== 'done' && state !== 'failed');
  if (stored.length >= MAX_STORED)
    throw invalid('too_many', '', `${MAX_STORED} imports are not finished. Finish or delete some`);
}

/**
 * Returns the server for a new import, or the owner of the server to create. Throws NOT_FOUND and
 * INVALID_REQUEST.
 */
async function placeOf(db: Reader, given: { serverId?: string; newServer?: string; owner?: string }) {
  const { serverId, newServer, owner } = given;
  if ((serverId === undefined) === (newServer === undefined))
    throw invalid('mismatch', 'serverId', 'give either serverId or newServer');
  if (serverId !== undefined)
    return { serverId: (await load(db, 'server', serverId)).id, newServer: null, ownerId: null };
  if (owner === undefined) throw invalid('missing', 'owner', 'is required for a new server');
  const user = await db.first(find('user', { username: owner.toLowerCase() }));
  if (!user) throw notFound('user');
  if (user.suspendedAt !== null) throw invalid('wrong_kind', 'owner', 'is suspended');
  return { serverId: null, newServer: newServer as string, ownerId: user.id };
}

/**
 * The operations on imports from other products. `imports/job.ts` runs the imports in the background.
 */
export const importOperations = [
  read({
    operation: 'platformImports',
    ...{ people: true, keys: true },
    path: '/platform/imports',
    tag: 'import',
    summary: 'List imports',
    description: 'Returns the imports of the last seven days, newest first.',
    visible: 'imports',
    answer: platformImport,
    list: 'many',
    target: ownTarget,
    run({ db, now }, input) {
      const rows = q
        .selectFrom('import')
        .selectAll()
        .where('createdAt', '>', now - IMPORT_MS);
      return listById(db, rows, input, toImport, 'desc');
    },
  }),

  read({
    operation: 'platformImportById',
    ...{ people: true, keys: true },
    path: '/platform/imports/:id',
    tag: 'import',
    summary: 'Get an import with its progress, log and report',
    visible: 'imports',
    answer: platformImport,
    target: importTarget,
    run: async (_call, _input, target) => toImport((await target).found),
  }),

  write({
    operation: 'platformImportInsert',
    ...{ people: true, keys: true },
    path: '/platform/imports',
    resource: 'import',
    verb: 'insert',
    summary: 'Create an import',
    description:
      'Upload the archive in parts, then start the import. The history is added to the server `serverId`, or to a new server, which needs a name and an owner. Imports are kept for seven days, and archives until their import is done or has failed.',
    body: body({
      source: sourceField,
      serverId: optional(reference('The server to import into')),
      newServer: optional(newServerField),
      owner: optional(
        text({ max: 32, description: 'The username of the owner of the new server', examples: ['ada'] }),
      ),
      name: optional(fileName),
      bytes: size('The size of the archive', 1),
      sha256: optional(
        Type.String({
          pattern: '^[0-9a-f]{64}$',
          description:
            'The SHA-256 of the archive, in hexadecimal. It is checked once the archive is complete',
          examples: ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
        }),
      ),
    }),
    answer: platformImport,
    target: async ({ principal }) => ({ serverId: null, ownerId: principal.userId }),
    async run(call, { body }) {
      const { db, newRow, now, principal, services } = call;
      const { source, bytes, name = '', sha256 = null } = body;
      if (bytes > services.importMegabytes * MEGABYTE)
        throw invalid('too_large', 'bytes', `must be at most ${services.importMegabytes} megabytes`);
      await requireRoom(db);
      const row = {
        ...newRow(),
        ...(await placeOf(db, body)),
        ...{ creatorId: principal.userId, source, name, bytes, sha256, received: 0 },
        ...{ state: 'uploading' as const, isDryRun: true, rows: 0, totalRows: null },
        ...{ planned: null, report: null, failure: null, log: withLine([], now, 'Created') },
      };
      await db.run(insert('import', row));
      const { id, serverId } = row;
      await recordAct(call, 'import create', { id, ...(serverId !== null && { serverId }) });
      return toImport(row);
    },
  }),

  upload({
    operation: 'platformImportPart',
    ...{ people: true, keys: true },
    path: '/platform/imports/:id/parts/:offset',
    resource: 'import',
    verb: 'update',
    summary: 'Upload the next part of an archive',
    description:
      'Send a form with one file of up to 32 MB. `offset` is the position of the part in the archive, in bytes. If another part is expected next, `details` contains the offset to continue from.',
    takes: ['multipart/form-data'],
    maxBytes: PART_BYTES,
    answer: platformImport,
    target: async (call, input) => ({
      ...(await importTarget(call, input)),
      offset: offsetOf(input.params.offset),
    }),
    receive(_call, { bytes }, { found, offset }, services) {
      // A part that has arrived may be repeated with its idempotency key.
      if (offset >= found.received) requireContinues(found, offset);
      return storePart(services, bytes);
    },
    fingerprint: ({ sha256 }: Part) => sha256,
    async run(call, _input, { found, offset }, part: Part) {
      const { db, newRow, now } = call;
      requireContinues(found, offset);
      const received = offset + part.bytes;
      if (received > found.bytes)
        throw invalid(
          'too_large',
          'file',
          `exceeds the archive's ${found.bytes} bytes, which were set when the import was created`,
        );
      if (part.bytes === 0) throw invalid('missing', 'file', 'is empty');
      await db.run(remove('fileRemoval', { id: part.id }));
      await db.run(
        insert('importPart', { ...newRow(), id: part.id, importId: found.id, offset, bytes: part.bytes }),
      );
      const isComplete = received === found.bytes;
      const set = {
        ...{ received, updatedAt: touched(found, now) },
        ...(isComplete && {
          state: 'ready' as const,
          log: withLine(found.log, now, 'The archive is complete'),
        }),
      };
      await db.run(update('import', found.id, set));
      return toImport({ ...found, ...set });
    },
    discard: ({ id }: Part, { db, deps }) =>
      db.write((tx) => tx.run(update('fileRemoval', id, { dueAt: deps.now() }))),
  }),

  write({
    operation: 'platformImportStart',
    ...{ people: true, keys: true },
    method: 'POST',
    path: '/platform/imports/:id/start',
    resource: 'import',
    verb: 'update',
    summary: 'Start an import or its dry run',
    description:
      'A dry run writes nothing and reports what an import would do. An import does a dry run first, and stops if it fails. In a session, it requires a confirmed identity.',
    body: body({
      id: optional(reference()),
      dryRun: optional(flag('Only report what an import would do', true)),
    }),
    answer: platformImport,
    target: importTarget,
    async run(call, { body }, { found }) {
      const { db, now } = call;
      if (found.state === 'uploading') throw invalid('wrong_kind', 'id', 'has no complete archive yet');
      if (found.state === 'done' || found.state === 'failed')
        throw invalid('wrong_kind', 'id', 'has ended. Create another one');
      const isDryRun = body.dryRun ?? false;
      // A confirmed identity is required, because an import can write anybody's messages to any server.
      if (!isDryRun) requireProven(call);
      if (found.state === 'running') {
        if (found.isDryRun === isDryRun) return toImport(found);
        throw invalid('wrong_kind', 'id', 'is running');
      }
      const line = isDryRun ? 'Started a dry run' : 'Started';
      const set = {
        ...{ state: 'running' as const, isDryRun, rows: 0, report: null, updatedAt: touched(found, now) },
        ...(!isDryRun && { planned: null }),
        log: withLine(found.log, now, line),
      };
      await db.run(update('import', found.id, set));
      await setTimer(db, { id: found.id, kind: 'import', serverId: found.serverId, dueAt: now, now });
      await recordAct(call, isDryRun ? 'import try' : 'import start', { id: found.id });
      return toImport({ ...found, ...set });
    },
  }),

  write({
    operation: 'platformImportDelete',
    ...{ people: true, keys: true },
    path: '/platform/imports/:id',
    resource: 'import',
    verb: 'delete',
    summary: 'Cancel or delete an import',
    description: 'A running import stops within seconds. Everything that it has added so far is kept.',
    answer: platformImport,
    async target(call, input) {
      const target = await importTarget(call, input);
      const { serverId } = target.found;
      return { ...target, ...(serverId !== null && { alsoIn: [serverId] }) };
    },
    async run(call, _input, { found }) {
      const { serverId, source, state } = found;
      if (state === 'running' && serverId !== null)
        await announceUnfinished(call, { serverId, source }, { goesOn: true });
      await call.db.run(remove('import', { id: found.id }));
      await removeTimer(call.db, found.id);
      await recordAct(call, 'import delete', { id: found.id });
      return toImport(found);
    },
  }),
];

import { rm } from 'node:fs/promises';
import { sql } from '../../db/kysely.ts';
import { insert, prepare, q, update } from '../../db/statements.ts';
import { ApiError, invalid } from '../../errors.ts';
import type { Arrived } from '../../files/incoming.ts';
import type { Inspected } from '../../files/media/inspect.ts';
import type { Previews } from '../../files/media/previews.ts';
import { nameFrom } from '../../files/name.ts';
import { type FileStore, fileKeys, type PreviewSize } from '../../files/store.ts';
import { late } from '../../lib/late.ts';
import { requireFileRoom } from '../../operations/quotas.ts';
import type { Services } from '../../operations/services.ts';
import { upload } from '../../operations/upload.ts';
import { attachment, attachmentEvents, previewNames, toAttachment } from '../attached.ts';
import { ownServerId } from '../common.ts';

/** What looks into files, loaded when the first one comes. */
const loadMedia = late(async () => ({
  ...(await import('../../files/media/inspect.ts')),
  ...(await import('../../files/media/previews.ts')),
}));

/** Files of one user in a server that are not sent, at most. */
const MAX_UNSENT = 100;
/** The time in ms within which an upload ends, or its file is removed. Far longer than an upload may take. */
const ENDS_WITHIN_MS = 24 * 60 * 60_000;

/** A file in the store, of which no row tells yet. */
interface Received extends Omit<Inspected, 'pieces'> {
  id: string;
  name: string;
  bytes: number;
  thumbhash: string | null;
  previews: PreviewSize[];
}

/** Such a file, with the SHA-256 of what came. */
interface Upload {
  file: Received;
  sha256: string;
}

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
    'A form with one file. Send it with a message within a day, or it is removed. The type is that of the content. Pictures are stored without what they tell of the camera and the place.',
  takes: ['multipart/form-data'],
  answer: attachment,
  target: async (call) => ({ serverId: ownServerId(call.principal) }),

  async receive({ db, quotas }, { bytes, name }, { serverId }, services) {
    // Before a byte is read: nobody sends a large file only to be refused.
    await requireFileRoom(db, quotas, serverId, 1);
    const { incoming } = services.files;
    const arrived = await incoming.take(bytes);
    const paths = [arrived.path];
    try {
      if (arrived.bytes === 0) throw invalid('blank', 'file', 'must not be empty');
      const { inspect, isWhole, MAX_PIXELS, previewsOf } = await loadMedia();
      const inspected = await inspect(arrived.path, arrived.bytes);
      requirePixels(inspected, MAX_PIXELS);
      // Without what is left out of it.
      const kept = isWhole(inspected, arrived.bytes)
        ? arrived
        : await incoming.assemble(arrived.path, inspected.pieces);
      paths.push(kept.path);
      await requireFileRoom(db, quotas, serverId, kept.bytes);
      const made = await previewsOf(kept.path, inspected.type);
      const id = services.deps.newId();
      await store(services, id, kept, made, paths);
      const { type, width, height } = inspected;
      const { thumbhash, images } = made;
      const previews = previewNames.filter((size) => images[size]);
      const { sha256 } = arrived;
      const file = { id, name: nameFrom(name), type, width, height, bytes: kept.bytes, thumbhash, previews };
      return { file, sha256 };
    } finally {
      await Promise.all(paths.map((path) => rm(path, { force: true })));
    }
  },

  fingerprint: ({ sha256 }: Upload) => sha256,

  async run({ db, emit, newRow, principal, quotas }, _input, { serverId }, { file: received }: Upload) {
    const { userId: creatorId } = principal;
    const [unsent] = await Promise.all([
      db.first(unsentOf({ creatorId, serverId, most: MAX_UNSENT })),
      requireFileRoom(db, quotas, serverId, received.bytes),
    ]);
    if ((unsent?.rows ?? 0) >= MAX_UNSENT)
      throw invalid(
        'too_many',
        '',
        `${MAX_UNSENT} files are uploaded and not sent: send them, or delete some`,
      );
    // The file was put on the list of removals before it was stored. It leaves the list in the transaction that names it.
    const stored = q.deleteFrom('fileRemoval').where('id', '=', received.id).where('dueAt', '>', 0);
    if ((await db.count(stored)) === 0)
      throw new ApiError('INTERNAL_ERROR', 'the upload took too long: repeat it');
    const row = {
      ...newRow(),
      serverId,
      channelId: null,
      messageId: null,
      creatorId,
      ...received,
    };
    await db.run(insert('attachment', row));
    await db.run(used({ serverId, bytes: row.bytes }));
    const made = toAttachment(row);
    await emit(attachmentEvents.created, made);
    return made;
  },

  /** Its file is removed soon, unless a row tells of it: an error does not always mean that nothing was committed. */
  async discard({ file: { id } }: Upload, { db }) {
    await db.write((tx) => tx.run(update('fileRemoval', id, { dueAt: 0 }))).catch(() => {});
  },
});

const used = prepare((p: { serverId: string; bytes: number }) =>
  q
    .insertInto('fileUse')
    .values({ serverId: p.serverId, bytes: p.bytes })
    .onConflict((conflict) =>
      conflict.column('serverId').doUpdateSet({ bytes: sql<number>`"fileUse".bytes + excluded.bytes` }),
    ),
);

function requirePixels({ width, height, type }: Inspected, most: number): void {
  if (!type.startsWith('image/') || width === null || height === null) return;
  if (width === 0 || height === 0 || width * height > most)
    throw invalid(
      'too_large',
      'file',
      `is a picture of ${width} × ${height} pixels, and may have ${most / 1e6} million`,
    );
}

/** Puts a file and its previews into the store. Adds the paths that it makes to `paths`. */
async function store(
  { db, deps, files }: Services,
  id: string,
  kept: Arrived,
  { images }: Previews,
  paths: string[],
): Promise<void> {
  const store: FileStore = await files.store;
  const keys = fileKeys(id);
  // On the list of removals first: whatever happens from now on, the file is found, and removed if nobody gets to know it.
  const removal = { id, dueAt: deps.now() + ENDS_WITHIN_MS };
  await db.write((tx) => tx.run(insert('fileRemoval', removal)));
  for (const size of previewNames) {
    const image = images[size];
    if (!image) continue;
    const { path, bytes } = await files.incoming.keep(image);
    paths.push(path);
    await store.put(keys[size], path, bytes);
  }
  await store.put(keys.whole, kept.path, kept.bytes);
}

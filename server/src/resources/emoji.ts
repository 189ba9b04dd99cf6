import type { Reader } from '../db/contract.ts';
import { find, insert, q, remove } from '../db/statements.ts';
import { invalid } from '../errors.ts';
import { eventsOf } from '../feed/eventKind.ts';
import { nameKey } from '../lib/names.ts';
import { Type } from '../lib/schema.ts';
import { requireFileRoom } from '../limits/room.ts';
import type { Existing } from '../operations/existing.ts';
import { body, id, optional, pictureAddress, record, reference, text } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import { upload } from '../operations/upload.ts';
import { write } from '../operations/write.ts';
import { aheadInServer, load, recordOf, serverIdOf, serverTarget } from './common.ts';
import { listById } from './lists.ts';
import { acceptPicture, keepPicture } from './picture/upload.ts';
import { discardFile, receiveFile, type Upload } from './received.ts';
import { sharedPart } from './snapshotPart.ts';

/** Maximum size in bytes. It is small, because a page may show many emoji. */
export const MAX_EMOJI_BYTES = 1_000_000;
/** Maximum width and height in pixels. */
export const MAX_EMOJI_PIXELS = 1_024;
/** Maximum characters of the name of a custom emoji. */
export const MAX_EMOJI_NAME_CHARACTERS = 32;
/** Matches names between two colons: letters and digits of any script, `_`, `+` and `-`. */
export const EMOJI_NAME = /^[\p{L}\p{M}\p{N}_+-]+$/u;

const fields = {
  name: text({
    min: 1,
    max: MAX_EMOJI_NAME_CHARACTERS,
    description:
      'Written between colons, as in `:party_parrot:`. Letters, digits, `_`, `+` and `-`, in lowercase. Unique in its server',
    examples: ['party_parrot'],
  }),
};

const emoji = record('Emoji', { serverId: id(), ...fields, url: pictureAddress(), creatorId: id() });
const toEmoji = recordOf(emoji);

export const emojiEvents = eventsOf(
  'emoji',
  { data: emoji, audience: 'member' },
  {
    created: 'A custom emoji was added',
    deleted: 'A custom emoji was deleted. Messages and reactions show its name instead',
  },
);

/** The custom emoji in a snapshot. */
export const emojiPart = sharedPart({
  schema: Type.Array(emoji, { description: 'All custom emoji of the server' }),
  read: ({ emoji }) => emoji.map(toEmoji),
});

export const emojiOperations = [
  read({
    operation: 'emojiByServer',
    path: '/servers/:serverId/emoji',
    tag: 'emoji',
    summary: "List a server's custom emoji",
    description: 'Returns the oldest emoji first.',
    visible: 'member',
    answer: emoji,
    list: 'many',
    target: serverTarget,
    ahead: aheadInServer,
    async run({ db }, input) {
      const rows = q.selectFrom('emoji').selectAll().where('serverId', '=', input.params.serverId);
      return listById(db, rows, input, toEmoji);
    },
  }),

  upload({
    operation: 'emojiInsert',
    path: '/emoji',
    resource: 'emoji',
    verb: 'insert',
    summary: 'Add a custom emoji',
    description:
      'Send a form with the field `name`, then one file: PNG, JPEG, GIF or WebP, up to 1 MB and 1,024 pixels in width and height. Metadata is removed.',
    takes: ['multipart/form-data'],
    maxBytes: MAX_EMOJI_BYTES,
    body: body({ ...fields, serverId: optional(reference()) }),
    answer: emoji,
    existing: async (call, { body }) =>
      emojiNamed(call.db, await serverIdOf(call, body.serverId), nameKey(body.name)),
    async target(call, { body }) {
      if (!EMOJI_NAME.test(body.name))
        throw invalid('wrong_form', 'name', 'must contain only letters, digits, _, + and -');
      return { serverId: await serverIdOf(call, body.serverId) };
    },
    receive: (call, incoming, { serverId }, services) =>
      receiveFile(call, incoming, services, {
        serverId,
        accept(inspected) {
          acceptPicture(inspected);
          if (Math.max(inspected.width ?? 0, inspected.height ?? 0) > MAX_EMOJI_PIXELS)
            throw invalid('too_large', 'file', `must be at most ${MAX_EMOJI_PIXELS} pixels wide and high`);
        },
      }),
    fingerprint: ({ sha256 }: Upload) => sha256,
    async run(call, { body }, { serverId }, received: Upload) {
      const { db, emit, newRow, principal, services } = call;
      await requireFileRoom(db, services.quotas, serverId, received.file.bytes);
      const url = await keepPicture(call, serverId, received);
      const row = { ...newRow(), serverId, name: nameKey(body.name), url, creatorId: principal.userId };
      await db.run(insert('emoji', row));
      await emit(emojiEvents.created, toEmoji(row));
      return toEmoji(row);
    },
    discard: discardFile,
  }),

  write({
    operation: 'emojiDelete',
    path: '/emoji/:id',
    resource: 'emoji',
    verb: 'delete',
    summary: 'Delete a custom emoji',
    description: 'Messages and reactions keep the name of the emoji.',
    answer: emoji,
    async target({ db }, { params }) {
      const found = await load(db, 'emoji', params.id);
      return { ...found, ownerId: found.creatorId };
    },
    async run({ db, emit }, _input, found) {
      await db.run(remove('emoji', { id: found.id }));
      await emit(emojiEvents.deleted, toEmoji(found));
      return toEmoji(found);
    },
  }),
];

/** Finds the emoji of a server that already has this name. */
async function emojiNamed(db: Reader, serverId: string, name: string): Promise<Existing | undefined> {
  const found = await db.first(find('emoji', { serverId, name }));
  return found && { id: found.id, serverId, visible: 'member' };
}

import { find, insert } from '../db/statements.ts';
import { isPicture } from '../files/media/type.ts';
import { nameKey } from '../lib/names.ts';
import { API_PREFIX } from '../operations/operation.ts';
import {
  EMOJI_NAME,
  MAX_EMOJI_BYTES,
  MAX_EMOJI_NAME_CHARACTERS,
  MAX_EMOJI_PIXELS,
} from '../resources/emoji.ts';
import type { ImportedFiles, Stored } from './files.ts';
import type { People } from './people.ts';
import type { EmojiRow } from './row.ts';
import type { Target } from './target.ts';

const NO_PICTURE = 'its file is not an image, or is too large';

type Size = { width: number; height: number };
const isEmojiPicture = <P extends { type: string; width: number | null; height: number | null }>(
  picture: P,
): picture is P & Size =>
  isPicture(picture.type) &&
  !!picture.width &&
  !!picture.height &&
  Math.max(picture.width, picture.height) <= MAX_EMOJI_PIXELS;

/** Adds the custom emoji of an archive. Skips those whose names are taken. */
export class ImportedEmoji {
  readonly #target: Target;
  readonly #files: ImportedFiles;
  readonly #people: People;
  readonly #names = new Set<string>();

  constructor(target: Target, files: ImportedFiles, people: People) {
    this.#target = target;
    this.#files = files;
    this.#people = people;
  }

  async write(row: EmojiRow): Promise<void> {
    const { tally, server, services, isDry } = this.#target;
    const name = nameKey(row.name);
    if (!EMOJI_NAME.test(name) || name.length > MAX_EMOJI_NAME_CHARACTERS)
      return tally.lost('emoji', 'has a name that is not valid here');
    if (this.#names.has(name)) return tally.lost('emoji', 'has the same name as another one in the archive');
    this.#names.add(name);
    const { read } = services.db;
    const known = await read.first(find('emoji', { serverId: server.id, name }));
    if (known) {
      if (known.id !== row.id) tally.note('emoji', 'has the same name as an existing one');
      return tally.present('emoji');
    }
    const refusal = this.#files.refusal(row, MAX_EMOJI_BYTES);
    if (refusal !== undefined) return tally.lost('emoji', `its picture ${refusal}`);
    this.#files.plan(row);
    if (isDry) {
      const found = await this.#files.inspect(row, MAX_EMOJI_BYTES);
      if ('reason' in found) return tally.lost('emoji', `its picture ${found.reason}`);
      return isEmojiPicture(found) ? tally.written('emoji') : tally.lost('emoji', NO_PICTURE);
    }
    const stored = await this.#files.store(row.id, name, row, MAX_EMOJI_BYTES);
    if (!('file' in stored)) return tally.lost('emoji', `its picture ${stored.reason}`);
    if (!(await this.#apply(row, name, stored))) return tally.lost('emoji', NO_PICTURE);
    tally.written('emoji');
  }

  async #apply(row: EmojiRow, name: string, stored: Extract<Stored, { file: object }>): Promise<boolean> {
    const { server, services, latest } = this.#target;
    const { file } = stored;
    // A rejected file remains in the list of files to remove.
    if (!isEmojiPicture(file)) return false;
    const { id } = file;
    const creatorId = (row.creatorId && this.#people.find(row.creatorId)?.id) || server.creatorId;
    const createdAt = Math.min(row.createdAt, latest);
    const times = { createdAt, updatedAt: createdAt };
    const address = `${API_PREFIX}/pictures/${id}`;
    await services.db.write(async (tx) => {
      const { payerId } = await this.#files.keep(tx, stored);
      const picture = {
        ...file,
        ...times,
        serverId: server.id,
        creatorId,
        address,
        payerId,
      };
      await tx.run(insert('picture', picture));
      await tx.run(
        insert('emoji', { id: row.id, ...times, serverId: server.id, name, url: address, creatorId }),
      );
    }, server.id);
    return true;
  }
}

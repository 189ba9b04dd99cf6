import type { RowOf } from '../../db/schema.ts';
import type { LineFile } from './format.ts';
import type { MessagesPage } from './rows.ts';

/** A message's file in an export. `sha256` is null if the store has lost it. */
export interface Copied {
  sha256: string | null;
  bytes: number;
}

/** Collects lines of JSON by file. */
export class Lines {
  readonly #texts = new Map<LineFile, string[]>();

  add(file: LineFile, row: object): void {
    const lines = this.#texts.get(file);
    const line = JSON.stringify(row);
    if (lines) lines.push(line);
    else this.#texts.set(file, [line]);
  }

  *[Symbol.iterator](): Generator<[LineFile, string]> {
    for (const [file, lines] of this.#texts) yield [file, `${lines.join('\n')}\n`];
  }
}

/** Returns the lines for a page of messages. `copied` contains the files by id. */
export function linesOfPage(page: MessagesPage, copied: ReadonlyMap<string, Copied>): Lines {
  const lines = new Lines();
  for (const message of page.messages) {
    const { id, createdAt, editedAt, channelId, creatorId, type, content, threadId, replyToId } = message;
    const author = type === 'system' ? null : creatorId;
    lines.add('messages', { id, createdAt, editedAt, channelId, creatorId: author, type, content });
    if (threadId !== null || replyToId !== null) lines.add('replies', { id, threadId, replyToId });
    for (const row of reactionsOf(message, page.reactions.get(id) ?? [])) lines.add('reactions', row);
    const pin = page.pins.get(id);
    if (pin)
      lines.add('pins', { id: pin.id, createdAt: pin.createdAt, messageId: id, creatorId: pin.creatorId });
    for (const file of filesInOrder(message, page.files.get(id) ?? [])) {
      const { sha256 = null, bytes = file.bytes } = copied.get(file.id) ?? {};
      const path = sha256 === null ? null : `files/${sha256}`;
      const of = { id: file.id, createdAt: file.createdAt, messageId: id, creatorId: file.creatorId };
      lines.add('files', { ...of, name: file.name, bytes, sha256, path });
    }
  }
  return lines;
}

type NamedReaction = Pick<RowOf<'reaction'>, 'messageId' | 'emoji' | 'userId' | 'id' | 'createdAt'>;

/** Returns the line for a user's reaction. */
export const lineOfReaction = ({ messageId, emoji, userId, id, createdAt }: NamedReaction) => ({
  ...{ messageId, emoji, userId, count: 1, id, createdAt },
});

/**
 * Returns the reactions in the order of the message's emoji. For each emoji, the reactions of unknown users
 * become one row with their count.
 */
function reactionsOf(
  { id: messageId, reactions }: RowOf<'message'>,
  named: readonly RowOf<'reaction'>[],
): object[] {
  return reactions.flatMap(({ emoji, count }) => {
    const own = named.filter((one) => one.emoji === emoji);
    const rest = count - own.length;
    const rows: object[] = own.map(lineOfReaction);
    return rest > 0 ? [...rows, { messageId, emoji, userId: null, count: rest }] : rows;
  });
}

/** Returns the files in the order in which the message lists them. */
function filesInOrder(
  message: RowOf<'message'>,
  files: readonly RowOf<'attachment'>[],
): RowOf<'attachment'>[] {
  const shown = (message.attachments ?? []) as readonly { id: string }[];
  const place = new Map(shown.map(({ id }, index) => [id, index]));
  return [...files].sort((one, other) => (place.get(one.id) ?? 0) - (place.get(other.id) ?? 0));
}

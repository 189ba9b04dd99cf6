import { setTimer } from '../../../clock/timers.ts';
import type { RowOf } from '../../../db/schema.ts';
import { find, findPart, remove } from '../../../db/statements.ts';
import { linksIn } from '../../../lib/text/links.ts';
import type { Work } from '../../../operations/work.ts';
import { attachmentEvents, toAttachment } from '../../attached.ts';
import type { ShownBlock } from '../blocks/blocks.ts';

/** Maximum previews per message. */
const MAX_PREVIEWS = 3;

export type Preview = Extract<ShownBlock, { type: 'preview' }>;

type Message = Pick<RowOf<'message'>, 'id' | 'serverId' | 'content'> & { blocks?: unknown };

/** Returns the previews among the blocks of a message; undefined if its author added blocks. */
export function previewsOf({ blocks }: { blocks?: unknown }): readonly Preview[] | undefined {
  const all = (blocks ?? []) as readonly ShownBlock[];
  return all.every((block) => block.type === 'preview') ? all : undefined;
}

/** Returns the links of a message that get previews if the server has enabled them. */
export const previewed = (content: string): string[] => linksIn(content).filter(isWeb).slice(0, MAX_PREVIEWS);

const isWeb = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/**
 * Returns the previews to keep when a message's text changes, because their links are still in it; null for
 * none, undefined if they are unchanged.
 */
export function previewsLeft(
  before: { content: string; blocks?: unknown },
  content: string,
): readonly Preview[] | null | undefined {
  const all = content === before.content ? undefined : previewsOf(before);
  if (!all || all.length === 0) return undefined;
  const links = new Set(previewed(content));
  const left = all.filter(({ url }) => links.has(url));
  if (left.length === all.length) return undefined;
  return left.length > 0 ? left : null;
}

/**
 * Sets the timer for the previews of a new message, or of links that an edit added to the text `before`, if
 * the server has enabled previews. Reads the database only if the message has links.
 */
export async function wantPreviews({ db, now }: Work, message: Message, before = ''): Promise<void> {
  const links = previewed(message.content);
  if (links.length === 0 || !previewsOf(message)) return;
  const known = new Set(previewed(before));
  if (links.every((url) => known.has(url))) return;
  const { id, serverId } = message;
  const server = await db.first(findPart('server', serverId, ['linkPreviews']));
  if (server?.linkPreviews) await setTimer(db, { id, kind: 'preview', serverId, dueAt: now, now });
}

/** Deletes the pictures of previews that are no longer shown. */
export async function removePictures(
  { db, emit }: Pick<Work, 'db' | 'emit'>,
  before: readonly Preview[],
  after: readonly Preview[],
): Promise<void> {
  const left = new Set(after.map(({ image }) => image?.id));
  for (const { image } of before) {
    const found =
      image && !left.has(image.id) ? await db.first(find('attachment', { id: image.id })) : undefined;
    if (!found) continue;
    await db.run(remove('attachment', { id: found.id }));
    await emit(attachmentEvents.deleted, toAttachment(found));
  }
}

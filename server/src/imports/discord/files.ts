import { countOf, firstTextOf, type Loose, listOf, sourceIdOf, textOf } from '../reading/loose.ts';
import type { Archive, FileRow, Ids } from '../row.ts';

/** Returns the location of a file: a path in the archive, possibly with backslashes, or a URL. */
export function placeOf(
  address: string,
  file: string,
  archive: Archive,
): { path: string | null; url: string | null } {
  if (/^https?:\/\//i.test(address)) return { path: null, url: address };
  const name = address
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .normalize('NFC');
  // The files of a thread may be in the folder of its channel.
  for (let folder = file; folder !== ''; ) {
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
    const path = folder === '' ? name : `${folder}/${name}`;
    if (archive.has(path)) return { path, url: null };
  }
  return { path: null, url: null };
}

/** Returns the attachments and stickers of a message. */
export function filesOf(message: Loose, file: string, archive: Archive, ids: Ids): FileRow[] {
  const attachments = [message, message.forwardedMessage].flatMap((each) => listOf(each?.attachments));
  const stickers = [message, message.forwardedMessage].flatMap((each) => listOf(each?.stickers));
  return [
    ...attachments.map((each) => ({
      id: ids('file', sourceIdOf(each?.id) || `${message.id}:${textOf(each?.url)}`, 0),
      name: firstTextOf(each?.fileName, 'file'),
      ...placeOf(textOf(each?.url), file, archive),
      bytes: countOf(each?.fileSizeBytes) || null,
    })),
    ...stickers.map((each) => ({
      // The same sticker may be sent many times, so its id includes the message's.
      id: ids('file', `${message.id}:${sourceIdOf(each?.id)}`, 0),
      name: `${firstTextOf(each?.name, 'sticker')}${/\.\w{2,5}$/.exec(textOf(each?.sourceUrl))?.[0] ?? ''}`,
      ...placeOf(textOf(each?.sourceUrl), file, archive),
      bytes: null,
    })),
  ];
}

import { escaped, link } from '../../payloads/commonmark.ts';
import {
  anyTimeOf,
  countOf,
  firstTextOf,
  type Loose,
  type Losses,
  sourceIdOf,
  textOf,
} from '../reading/loose.ts';
import type { FileRow, Ids } from '../row.ts';
import { filesIn } from './messages.ts';

/** Returns the files of a message, and lines to add to its text about files that cannot be imported. */
export function filesOf(
  message: Loose,
  places: ReadonlyMap<string, string>,
  ids: Ids,
  losses: Losses,
): { files: FileRow[]; lines: string[] } {
  const files: FileRow[] = [];
  const lines: string[] = [];
  for (const file of filesIn(message)) {
    const id = sourceIdOf(file.id);
    if (id === '') losses.add('files', 'has no id');
    if (id === '' || files.some((other) => other.id === ids('file', id, 0))) continue;
    const name = firstTextOf(file.name, file.title, id);
    const path = places.get(id) ?? null;
    const url = firstTextOf(file.url_private_download, file.url_private) || null;
    if (path === null && (file.mode === 'tombstone' || file.mode === 'hidden_by_limit')) {
      losses.add(
        'files',
        file.mode === 'tombstone' ? 'was deleted in Slack' : 'is hidden by the limit of the Slack plan',
      );
      lines.push(escaped(name));
    } else if (path === null && (file.mode === 'external' || file.is_external === true)) {
      const address = firstTextOf(file.external_url, file.url_private, file.permalink);
      losses.add(
        'files',
        address === '' ? 'is stored elsewhere, at an unknown address' : 'is stored elsewhere: only linked',
      );
      lines.push(link(address, firstTextOf(file.title, name)));
    } else {
      if (file.mode === 'quip') losses.add('files', 'is a canvas, which is imported as a file', 1, true);
      const bytes = countOf(file.size) || null;
      const createdAt = anyTimeOf(file.created, 1_000);
      files.push({ id: ids('file', id, 0), name, path, url, bytes, ...(createdAt > 0 ? { createdAt } : {}) });
    }
  }
  return { files, lines };
}

/** Removes the text that Slack added to old messages with a file. Only the file's comment remains. */
export const withoutShare = (message: Loose): Loose =>
  message.subtype === 'file_share' &&
  message.file &&
  /^<@[^>]+> (?:uploaded|shared) a file: /.test(textOf(message.text))
    ? { ...message, text: textOf(message.file.initial_comment?.comment) }
    : message;

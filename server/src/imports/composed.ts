import { MAX_ATTACHMENTS } from '../resources/attached.ts';
import { MAX_CHARACTERS } from '../resources/message/messageRecord.ts';
import type { ImportedFiles } from './files.ts';
import type { People } from './people.ts';
import type { Places } from './places.ts';
import { type FileRow, idsFor, type MessageRow, withReferences } from './row.ts';
import type { Target } from './target.ts';
import { cleanText, isBlank, partsOf } from './texts.ts';

/** A file to store, with the index of the message part that shows it. */
interface ComposedFile extends FileRow {
  part: number;
  /** The file's content, if the file holds text that is too long for messages. */
  text?: string;
}

/** A message of the archive, as one or more messages on this server. */
export interface Composed {
  /** The texts of the messages; none if there is no content. */
  parts: string[];
  files: ComposedFile[];
  /** The reasons why files are omitted. The text of the message mentions the names of these files. */
  refused: string[];
  /** The note in the report. */
  note: string | undefined;
  /** Returns the parts to use if a file could not be stored after all. */
  without(file: FileRow, reason: string, parts: readonly string[]): string[];
}

interface Around {
  target: Target;
  people: People;
  places: Places;
  files: ImportedFiles;
}

/** Returns the line about a missing file for the text of its message. */
const missing = ({ name }: FileRow, reason: string): string =>
  `*File not imported: ${cleanText(name)
    .replace(/[*_`[\]\\\n]/g, ' ')
    .slice(0, 200)} (${reason})*`;

const joined = (text: string, line: string): string => (text === '' ? line : `${text}\n${line}`);

/** Composes a message: resolves references, splits a long text into parts, and assigns files. */
export function composed({ target, people, places, files }: Around, row: MessageRow): Composed {
  const { server, source } = target;
  let text = cleanText(
    withReferences(row.content, (mark, id, messageId) => {
      if (mark === '@') return `@${people.find(id)?.username ?? 'unknown'}`;
      const place = places.find(id);
      const name = `#${place?.name ?? 'unknown'}`;
      if (mark === '#') return name;
      // Links are paths, because the address of this installation may change. Clients open such links in
      // their own pages.
      const path = `/s/${server.id}/c/${place?.id ?? id}${messageId === undefined ? '' : `/m/${messageId}`}`;
      return `[${name.replace(/[[\]\\]/g, '\\$&')}](${path})`;
    }),
  );
  const accepted: FileRow[] = [];
  const refused: string[] = [];
  for (const file of row.files) {
    const reason = files.refusal(file);
    if (reason === undefined) accepted.push(file);
    else {
      refused.push(reason);
      text = joined(text, missing(file, reason));
    }
  }
  const { parts, whole } = partsOf(text);
  const placed: ComposedFile[] = accepted.map((file, index) => ({
    ...file,
    part: Math.floor(index / MAX_ATTACHMENTS),
  }));
  if (whole !== undefined) {
    const id = idsFor(server.id, source)('file', `text of ${row.id}`, row.createdAt);
    const part = Math.floor(placed.length / MAX_ATTACHMENTS);
    placed.push({ id, name: 'message.md', path: null, url: null, bytes: null, part, text: whole });
  }
  const shown = parts.length === 1 && isBlank(parts[0] as string) ? [] : parts;
  while (shown.length * MAX_ATTACHMENTS < placed.length)
    shown.push(shown.length === 0 ? (parts[0] ?? '') : '');
  const note =
    whole !== undefined
      ? `is far longer than ${MAX_CHARACTERS} characters and becomes a file`
      : parts.length > 1
        ? `is longer than ${MAX_CHARACTERS} characters and becomes several messages`
        : undefined;
  return {
    parts: shown,
    files: placed,
    refused,
    note,
    without: (file, reason, [first = '', ...others]) => [
      joined(first, missing(file, reason)).slice(0, MAX_CHARACTERS),
      ...others,
    ],
  };
}

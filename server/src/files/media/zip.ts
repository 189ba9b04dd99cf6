/**
 * Detects documents that are ZIP files by the local headers of their first entries (APPNOTE 4.3.7). Nothing
 * is inflated, and the central directory at the end is not read.
 */

const SIGNATURE = Buffer.from('PK\x03\x04', 'latin1');
/** Number of bytes in a local header before the entry's name. */
const HEADER_BYTES = 30;
/** The flag that means that the sizes follow the data. */
const SIZES_FOLLOW = 8;
/** Maximum entries to examine. */
const MAX_ENTRIES = 64;

const openXml = 'application/vnd.openxmlformats-officedocument.';

export const documentTypes = [
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.presentation',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
] as const;

export type DocumentType = (typeof documentTypes)[number];

/** Document types by the folder that contains their parts in an Office Open XML package (ISO/IEC 29500). */
const folders: ReadonlyMap<string, DocumentType> = new Map([
  ['word', `${openXml}wordprocessingml.document`],
  ['xl', `${openXml}spreadsheetml.sheet`],
  ['ppt', `${openXml}presentationml.presentation`],
]);

/** Entries that every Office Open XML package has, at its start or at its end. */
const ofPackage = new Set(['[Content_Types].xml', '_rels/.rels']);

interface Entry {
  name: string;
  /** The data, stored or compressed, as far as it was read. */
  data: Buffer;
  isStored: boolean;
}

/** Yields the entries at the start of a ZIP file. */
function* entriesIn(head: Buffer): Generator<Entry> {
  let place = 0;
  for (let count = 0; count < MAX_ENTRIES; count++) {
    const isHeader = head.length >= place + HEADER_BYTES && SIGNATURE.equals(head.subarray(place, place + 4));
    if (!isHeader) return;
    const flags = head.readUInt16LE(place + 6);
    const nameFrom = place + HEADER_BYTES;
    const nameEnd = nameFrom + head.readUInt16LE(place + 26);
    const name = head.toString('utf8', nameFrom, nameEnd);
    const from = nameEnd + head.readUInt16LE(place + 28);
    const size = head.readUInt32LE(place + 18);
    // Some programs write the sizes after the data. The next header is then found by its signature.
    const next = flags & SIZES_FOLLOW && size === 0 ? head.indexOf(SIGNATURE, from) : from + size;
    yield {
      name,
      data: head.subarray(from, Math.max(from, next)),
      isStored: head.readUInt16LE(place + 8) === 0,
    };
    if (next < from) return;
    place = next;
  }
}

/**
 * Returns the type of the document that begins with these bytes; undefined if the file is another kind of ZIP
 * file.
 */
export function documentTypeOf(head: Buffer): DocumentType | undefined {
  let isPackage = false;
  let found: DocumentType | undefined;
  let isFirst = true;
  for (const { name, data, isStored } of entriesIn(head)) {
    // OpenDocument requires this entry to be first and uncompressed (part 2, 3.3).
    if (isFirst && name === 'mimetype')
      return isStored ? documentTypes.find((type) => data.equals(Buffer.from(type))) : undefined;
    isFirst = false;
    isPackage ||= ofPackage.has(name);
    found ??= folders.get(/^([a-z]+)\/./.exec(name)?.[1] ?? '');
    if (isPackage && found) return found;
  }
  return undefined;
}

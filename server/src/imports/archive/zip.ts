import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { ArchiveRefused } from '../row.ts';
import { type ArchiveLimits, type Contents, Listing, shown } from './contents.ts';

/**
 * The bits of the external attributes that contain the Unix file type, and the types of regular files and
 * folders.
 */
const TYPE = 0o170000;
const FILE = 0o100000;
const FOLDER = 0o040000;

const openZipFile = promisify<string, yauzl.Options, ZipFile>(yauzl.open);

/**
 * Lists the files of a zip archive. Throws `ArchiveRefused` if its central directory is hostile or damaged.
 */
export async function openZip(path: string, packedBytes: number, limits: ArchiveLimits): Promise<Contents> {
  const zip = await openZipFile(path, {
    autoClose: false,
    lazyEntries: true,
    decodeStrings: false,
    validateEntrySizes: true,
  }).catch(refuse);
  try {
    if (zip.entryCount > limits.entries)
      throw new ArchiveRefused(`The archive has more than ${limits.entries} entries.`);
    const listing = new Listing<Entry>(limits, packedBytes);
    for await (const entry of zip.eachEntry()) {
      listing.count();
      entry.fileName = yauzl.getFileNameLowLevel(
        entry.generalPurposeBitFlag,
        entry.fileNameRaw,
        entry.extraFields,
        true,
      );
      if (!isFolder(entry)) listing.add(entry.fileName, entry.uncompressedSize, entry);
    }
    listing.requireFolders();
    requireApart([...listing.places.values()]);
    return {
      files: listing.files,
      read: (name) => bytesOf(zip, listing.placeOf(name)),
      close: async () => zip.close(),
    };
  } catch (error) {
    zip.close();
    return refuse(error);
  }
}

/** Whether the entry is a folder. Throws `ArchiveRefused` if it is neither a folder nor a regular file. */
function isFolder(entry: Entry): boolean {
  const type = (entry.externalFileAttributes >>> 16) & TYPE;
  const name = shown(entry.fileName);
  if (type !== 0 && type !== FILE && type !== FOLDER)
    throw new ArchiveRefused(`The archive has a link or special file: ${name}.`);
  if (entry.fileName.endsWith('/')) return true;
  if (entry.isEncrypted()) throw new ArchiveRefused(`The archive is encrypted: ${name}.`);
  if (!entry.canDecodeFileData())
    throw new ArchiveRefused(`The archive uses an unknown compression method: ${name}.`);
  return false;
}

/** Throws `ArchiveRefused` if entries share compressed bytes, a technique of zip bombs. */
function requireApart(entries: Entry[]): void {
  const byPlace = entries.sort((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  let end = 0;
  for (const { relativeOffsetOfLocalHeader: start, compressedSize, fileName } of byPlace) {
    if (start < end) throw new ArchiveRefused(`Files in the archive overlap: ${shown(fileName)}.`);
    end = start + 1 + compressedSize;
  }
}

async function* bytesOf(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  const stream = await zip.openReadStreamPromise(entry).catch(refuse);
  let checksum = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch (error) {
    refuse(error);
  } finally {
    stream.destroy();
  }
  if (checksum !== entry.crc32)
    throw new ArchiveRefused(`The checksum of ${shown(entry.fileName)} in the archive is wrong.`);
}

/**
 * Throws `ArchiveRefused` for errors about the archive, from yauzl and zlib. Rethrows errors from the
 * operating system, which have a `syscall`.
 */
function refuse(error: unknown): never {
  if (error instanceof ArchiveRefused || !(error instanceof Error)) throw error;
  if (typeof (error as { syscall?: unknown }).syscall === 'string') throw error;
  const why = error.message.replace(/^(.{200}).*$/s, '$1…');
  throw new ArchiveRefused(`The archive is damaged: ${why}.`, { cause: error });
}

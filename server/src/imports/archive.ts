import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type ArchiveLimits, archiveLimits, type Contents, requireSize, shown } from './archive/contents.ts';
import { openFile, openFolder } from './archive/folder.ts';
import { openTar } from './archive/tar.ts';
import { type Archive, ArchiveRefused } from './row.ts';

interface Options {
  /** The folder for the unpacked copy of a `tar.gz`. Defaults to the system's temporary folder. */
  scratch?: string | undefined;
  limits?: ArchiveLimits | undefined;
}

export interface OpenArchive extends Archive {
  /** Reads all files once. Throws ArchiveRefused if a checksum does not match. */
  verify(): Promise<void>;
}

/**
 * Opens an export. Throws `ArchiveRefused` if it is hostile or damaged: path traversal, links, zip bombs, too
 * many entries, duplicate names, broken headers. The checksums of files are only compared when they are read.
 * Only a `tar.gz` is unpacked, to an unlinked file that disappears when the archive is closed or the process
 * ends.
 */
export async function openArchive(path: string, options: Options = {}): Promise<OpenArchive> {
  const { limits = archiveLimits } = options;
  const { files, read, close } = await contentsAt(path, limits, options.scratch ?? tmpdir());
  return {
    paths: [...files.keys()].sort(),
    has: (name) => files.has(name),
    sizeOf: (name) => files.get(name),
    open: async (name) => {
      if (!files.has(name)) throw new ArchiveRefused(`The archive has no file ${shown(name)}.`);
      return read(name);
    },
    verify: async () => {
      for (const name of files.keys()) for await (const _ of read(name));
    },
    close,
  };
}

/** The signatures of a zip archive's first file, and of the end of an empty archive. */
const zipStarts = [0x04034b50, 0x06054b50];

async function contentsAt(path: string, limits: ArchiveLimits, scratch: string): Promise<Contents> {
  const place = await realpath(path);
  const found = await stat(place);
  if (found.isDirectory()) return openFolder(place, limits);
  if (!found.isFile()) throw new ArchiveRefused('The export is neither a file nor a folder.');
  const file = await open(place);
  try {
    const { buffer } = await file.read(Buffer.alloc(512), 0, 512, 0);
    if (zipStarts.includes(buffer.readUInt32LE(0))) {
      const { openZip } = await import('./archive/zip.ts');
      return await openZip(place, found.size, limits);
    }
    if (buffer[0] === 0x1f && buffer[1] === 0x8b)
      return await unpackedTar(place, found.size, limits, scratch);
    if (buffer.toString('latin1', 257, 262) === 'ustar')
      return await openTar(await open(place), found.size, limits);
    return openFile(place, basename(path), found.size, limits);
  } finally {
    await file.close();
  }
}

/** Unpacks a `tar.gz` to an unlinked file, because reading its entries needs random access. */
async function unpackedTar(
  path: string,
  packedBytes: number,
  limits: ArchiveLimits,
  scratch: string,
): Promise<Contents> {
  const name = join(scratch, `palaver-import-${randomUUID()}`);
  const copy = await open(name, 'wx+', 0o600);
  try {
    await rm(name);
    for await (const chunk of gunzipped(createReadStream(path), packedBytes, limits))
      await writeAll(copy, chunk);
  } catch (error) {
    await copy.close();
    throw error;
  }
  return openTar(copy, packedBytes, limits);
}

async function writeAll(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let written = 0; written < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, written);
    written += bytesWritten;
  }
}

/** Decompresses gzip. Throws `ArchiveRefused` if it is damaged or unpacks to too many bytes. */
async function* gunzipped(
  packed: AsyncIterable<Buffer>,
  packedBytes: number,
  limits: ArchiveLimits,
): AsyncGenerator<Buffer> {
  const gunzip = Readable.from(packed)
    .on('error', (error) => gunzip.destroy(error))
    .pipe(createGunzip());
  let bytes = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      requireSize(bytes, packedBytes, limits);
      yield chunk;
    }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (!code?.startsWith('Z_')) throw error;
    throw new ArchiveRefused(`The archive is damaged: ${message}.`, { cause: error });
  }
}

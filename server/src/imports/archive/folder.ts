import { constants } from 'node:fs';
import { type FileHandle, lstat, open, opendir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ArchiveRefused } from '../row.ts';
import { type ArchiveLimits, type Contents, Listing, shown } from './contents.ts';

/** Lists the files of a folder. Throws `ArchiveRefused` for links and special files. */
export async function openFolder(folder: string, limits: ArchiveLimits): Promise<Contents> {
  const listing = new Listing<string>(limits);
  const waiting = [''];
  for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
    for await (const entry of await opendir(join(folder, inner))) {
      listing.count();
      const name = inner === '' ? entry.name : `${inner}/${entry.name}`;
      const path = join(folder, name);
      const found = await lstat(path);
      if (found.isDirectory()) waiting.push(name);
      else if (found.isFile()) listing.add(name, found.size, path);
      else throw new ArchiveRefused(`The folder has a link or special file: ${shown(name)}.`);
    }
  }
  return contentsOf(listing);
}

/** Opens a single file as an archive with one entry, which has the file's name. */
export function openFile(path: string, name: string, bytes: number, limits: ArchiveLimits): Contents {
  const listing = new Listing<string>(limits);
  listing.add(name, bytes, path);
  return contentsOf(listing);
}

function contentsOf(listing: Listing<string>): Contents {
  // The files being read. If the import is rejected while it reads, `close` closes them.
  const opened = new Set<FileHandle>();
  return {
    files: listing.files,
    read: (path) => bytesOf(listing.placeOf(path), listing.files.get(path) ?? 0, opened),
    close: async () => void (await Promise.all([...opened].map((file) => file.close()))),
  };
}

const CHUNK_BYTES = 256 * 1024;

/**
 * Returns the bytes of a file, up to the size at the time of the listing. Rejects a file that has since
 * become a link. Does not use a stream, which would be slower per file.
 */
async function* bytesOf(path: string, size: number, opened: Set<FileHandle>): AsyncGenerator<Buffer> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  opened.add(file);
  try {
    for (let left = size; left > 0; ) {
      const chunk = Buffer.allocUnsafe(Math.min(left, CHUNK_BYTES));
      const { bytesRead } = await file.read(chunk, 0, chunk.length);
      if (bytesRead === 0) throw new ArchiveRefused(`${shown(basename(path))} has become shorter.`);
      yield chunk.subarray(0, bytesRead);
      left -= bytesRead;
    }
  } finally {
    opened.delete(file);
    await file.close();
  }
}

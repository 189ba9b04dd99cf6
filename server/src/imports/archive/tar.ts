import type { FileHandle } from 'node:fs/promises';
import { ArchiveRefused } from '../row.ts';
import { type ArchiveLimits, type Contents, Listing, shown } from './contents.ts';

/** The unit of a tar archive, in bytes. */
const BLOCK = 512;
/** Maximum bytes of an entry's extra header, which contains its long name. */
const MAX_EXTRA = 64 * 1024;
const READ_BYTES = 256 * 1024;

interface Place {
  start: number;
  bytes: number;
}

interface Header {
  name: string;
  bytes: number;
  type: string;
}

/**
 * Lists the files of an open tar archive. Closes it along with the contents, or immediately if it throws
 * `ArchiveRefused` for a hostile or damaged archive.
 */
export async function openTar(
  file: FileHandle,
  packedBytes: number,
  limits: ArchiveLimits,
): Promise<Contents> {
  const listing = await listed(file, packedBytes, limits).catch(async (error) => {
    await file.close();
    throw error;
  });
  return {
    files: listing.files,
    read: (path) => bytesOf(file, listing.placeOf(path)),
    close: () => file.close(),
  };
}

async function listed(file: FileHandle, packedBytes: number, limits: ArchiveLimits): Promise<Listing<Place>> {
  const listing = new Listing<Place>(limits, packedBytes);
  const { size } = await file.stat();
  let start = 0;
  let next: Partial<Header> = {};
  for (;;) {
    const header = start + BLOCK > size ? undefined : headerOf(await bytesAt(file, start, BLOCK));
    if (header === undefined) break;
    start += BLOCK;
    listing.count();
    const bytes = next.bytes ?? header.bytes;
    if (start + bytes > size) throw new ArchiveRefused('The archive is truncated.');
    if ('xgLK'.includes(header.type)) {
      if (bytes > MAX_EXTRA) throw new ArchiveRefused('The archive has a header that is too long.');
      next = { ...next, ...extraOf(header.type, await bytesAt(file, start, bytes)) };
    } else {
      const name = next.name ?? header.name;
      if (header.type === '0') listing.add(name, bytes, { start, bytes });
      else if (header.type !== '5')
        throw new ArchiveRefused(`The archive has a link or special file: ${shown(name)}.`);
      next = {};
    }
    start += Math.ceil(bytes / BLOCK) * BLOCK;
  }
  listing.requireFolders();
  return listing;
}

/**
 * Parses a header. Undefined for the empty block at the end. Throws `ArchiveRefused` if the checksum is
 * wrong.
 */
function headerOf(block: Buffer): Header | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  let sum = 8 * 32;
  for (let at = 0; at < BLOCK; at++) if (at < 148 || at >= 156) sum += block[at] as number;
  if (sum !== numberIn(block, 148, 8))
    throw new ArchiveRefused('The checksum of a header in the archive is wrong.');
  const name = textIn(block, 0, 100);
  const isUstar = block.toString('latin1', 257, 262) === 'ustar' && block[262] === 0;
  const prefix = isUstar ? textIn(block, 345, 155) : '';
  const type = block.toString('latin1', 156, 157);
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    bytes: '56'.includes(type) ? 0 : numberIn(block, 124, 12),
    // Old archives mark files with a null character, and folders with a slash at the end of the name.
    type: type === '\0' || type === '7' ? (name.endsWith('/') ? '5' : '0') : type,
  };
}

/** Parses the name and size in an extended header (POSIX) or a long name (GNU). */
function extraOf(type: string, data: Buffer): Partial<Header> {
  if (type === 'L') return { name: textIn(data, 0, data.length) };
  if (type !== 'x') return {};
  const found: Partial<Header> = {};
  for (let at = 0; at < data.length; ) {
    const space = data.indexOf(' ', at);
    const length = space === -1 ? Number.NaN : Number(data.toString('latin1', at, space));
    if (!Number.isSafeInteger(length) || length <= space - at || at + length > data.length)
      throw new ArchiveRefused('The archive has a broken header.');
    const [key, ...value] = data.toString('utf8', space + 1, at + length - 1).split('=');
    if (key === 'path') found.name = value.join('=');
    if (key === 'size') found.bytes = sizeOf(Number(value.join('=')));
    at += length;
  }
  return found;
}

const textIn = (block: Buffer, start: number, length: number): string => {
  const end = block.indexOf(0, start);
  return block.toString('utf8', start, end === -1 || end > start + length ? start + length : end);
};

/** Parses a number: octal text or, for large values, binary (base 256). */
function numberIn(block: Buffer, start: number, length: number): number {
  if (((block[start] as number) & 0x80) !== 0) {
    let number = (block[start] as number) & 0x7f;
    for (let at = start + 1; at < start + length; at++) number = number * 256 + (block[at] as number);
    return sizeOf(number);
  }
  const text = textIn(block, start, length).trim();
  return sizeOf(text === '' ? 0 : /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number.NaN);
}

function sizeOf(number: number): number {
  if (!Number.isSafeInteger(number) || number < 0)
    throw new ArchiveRefused('The archive has a broken header.');
  return number;
}

async function bytesAt(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start);
  if (bytesRead < length) throw new ArchiveRefused('The archive is truncated.');
  return buffer;
}

async function* bytesOf(file: FileHandle, { start, bytes }: Place): AsyncGenerator<Buffer> {
  for (let read = 0; read < bytes; read += READ_BYTES)
    yield await bytesAt(file, start + read, Math.min(READ_BYTES, bytes - read));
}

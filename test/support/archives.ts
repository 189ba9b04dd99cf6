import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

/** The files of an archive, with their contents. */
export type Files = Readonly<Record<string, string | Buffer>>;

interface ZipEntry {
  name: string;
  content?: string | Buffer;
  /** The type and permissions on Unix. */
  mode?: number;
  /** Incorrect values to write into the entry's headers. */
  checksum?: number;
  bytes?: number;
  /** Uses the previous entry's data instead of its own. */
  isShared?: boolean;
}

/** A ZIP archive, possibly with incorrect headers. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let size = 0;
  let place = 0;
  for (const { name, content = '', mode = 0o100644, checksum, bytes, isShared } of entries) {
    const data = Buffer.from(content);
    const packed = deflateRawSync(data);
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    header.writeUInt16LE(0x800, 2);
    header.writeUInt16LE(8, 4);
    header.writeUInt32LE(checksum ?? crc32(data), 10);
    header.writeUInt32LE(packed.length, 14);
    header.writeUInt32LE(bytes ?? data.length, 18);
    header.writeUInt16LE(Buffer.byteLength(name), 22);
    if (!isShared) {
      place = size;
      parts.push(Buffer.from('PK\x03\x04', 'latin1'), header, Buffer.from(name), packed);
      size += 30 + Buffer.byteLength(name) + packed.length;
    }
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(place, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), header, rest, Buffer.from(name));
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(size, 16);
  return Buffer.concat([...parts, list, end]);
}

/** Returns a ZIP archive of these files. */
export const zipped = (files: Files): Buffer =>
  zipOf(Object.entries(files).map(([name, content]) => ({ name, content })));

interface TarEntry {
  name: string;
  content?: string | Buffer;
  /** `0` for files, `2` for links. */
  type?: string;
}

/** A tar archive. Names of more than 100 bytes get a POSIX header. */
export function tarOf(entries: readonly TarEntry[]): Buffer {
  const parts: Buffer[] = [];
  for (const { name, content = '', type = '0' } of entries) {
    const data = Buffer.from(content);
    if (Buffer.byteLength(name) > 100) {
      const line = ` path=${name}\n`;
      const length = Buffer.byteLength(line) + 3;
      parts.push(...tarParts('pax', 'x', Buffer.from(`${length}${line}`)));
    }
    parts.push(...tarParts(name.slice(0, 100), type, data));
  }
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

function tarParts(name: string, type: string, data: Buffer): Buffer[] {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write(`${data.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return [header, data, Buffer.alloc((512 - (data.length % 512)) % 512)];
}

/** Returns a tar.gz archive of these files. */
export const tarred = (files: Files): Buffer =>
  gzipSync(tarOf(Object.entries(files).map(([name, content]) => ({ name, content }))));

export function unpack(files: Files, folder: string): string {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return folder;
}

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/**
 * A zip archive of a folder's files, with their times or a given one. Uploads are stored uncompressed,
 * because most are media that zip cannot shrink.
 */
export async function zipOf(folder: string, mtime?: Date): Promise<Readable> {
  const zip = new ZipFile();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name).slice(folder.length + 1)] : [],
  );
  for (const path of paths.sort())
    zip.addFile(join(folder, path), path, { compress: !path.startsWith('files/'), ...(mtime && { mtime }) });
  zip.end();
  const output = zip.outputStream as Readable;
  // yazl reports a file that it cannot read only here.
  zip.on('error', (error) => output.destroy(error));
  return output;
}

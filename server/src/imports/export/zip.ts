import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/**
 * Creates a zip archive of a folder's files, with their modification times or a given time. Uploads are not
 * compressed, because most are media files that would not get smaller.
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
  // yazl reports files that it cannot read only through this event.
  zip.on('error', (error) => output.destroy(error));
  return output;
}

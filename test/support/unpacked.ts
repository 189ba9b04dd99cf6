import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openArchive } from '../../server/src/imports/archive.ts';

/** Unpacks an export's archive. Returns the URL of its first page. */
export async function unpacked(path: string, folder: string): Promise<string> {
  const archive = await openArchive(path);
  try {
    for (const name of archive.paths) {
      const place = join(folder, name);
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, Buffer.concat(await Array.fromAsync(await archive.open(name))));
    }
  } finally {
    await archive.close();
  }
  return pathToFileURL(join(folder, 'index.html')).href;
}

import type { RowOf } from '../../db/schema.ts';
import type { Files } from '../../files/files.ts';
import { NotStored } from '../../files/store.ts';
import type { Copied } from './lines.ts';
import type { Output } from './output.ts';

/** Copies the files of messages into an export. */
export async function copyFiles(
  files: Files,
  output: Pick<Output, 'copy'>,
  ofMessages: ReadonlyMap<string, readonly RowOf<'attachment'>[]>,
): Promise<Map<string, Copied>> {
  const copied = new Map<string, Copied>();
  for (const file of [...ofMessages.values()].flat())
    copied.set(file.id, await copyFile(files, output, file));
  return copied;
}

/** Copies a file into an export, unless the store has lost it. */
export async function copyFile(
  files: Files,
  output: Pick<Output, 'copy'>,
  { id, bytes }: { id: string; bytes: number },
): Promise<Copied> {
  try {
    return await output.copy(await (await files.store).open(id));
  } catch (error) {
    if (error instanceof NotStored) return { sha256: null, bytes };
    throw error;
  }
}

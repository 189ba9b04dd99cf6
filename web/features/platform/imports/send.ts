import { patiently } from '../../../api/patiently.ts';
import { uploadPart } from '../../../api/raw.ts';
import type { Import } from './words.ts';

/** Bytes per request, which is also the granularity of the progress. */
const PART_BYTES = 8_000_000;

/** Uploads the missing parts of an archive, and calls `onPart` with each response. Throws PalaverError. */
export async function sendArchive(
  { id, received, bytes }: Import,
  file: File,
  onPart: (row: Import) => void,
): Promise<void> {
  for (let offset = received; offset < bytes; ) {
    const row = await patiently(() => uploadPart(id, offset, file.slice(offset, offset + PART_BYTES)));
    onPart(row);
    offset = row.received;
  }
}

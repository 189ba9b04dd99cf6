import { PalaverError } from '../../../api/index.ts';
import { uploadPart } from '../../../api/raw.ts';
import type { Import } from './words.ts';

/** Bytes in one request, which is how often the progress changes. */
const PART_BYTES = 8_000_000;

/** Uploads what is missing of an archive, and calls `onPart` with each response. Throws PalaverError. */
export async function sendArchive(
  { id, received, bytes }: Import,
  file: File,
  onPart: (row: Import) => void,
): Promise<void> {
  for (let offset = received; offset < bytes; ) {
    const row = await uploadPart(id, offset, file.slice(offset, offset + PART_BYTES)).catch(patient);
    if (!row) continue;
    onPart(row);
    offset = row.received;
  }
}

/** Waits if the server asks for that. Throws other errors. */
async function patient(error: unknown): Promise<undefined> {
  if (!(error instanceof PalaverError) || error.code !== 'RATE_LIMITED') throw error;
  await new Promise((resolve) => setTimeout(resolve, 1000 * (error.retryAfter ?? 5)));
}
